package io.cordwood.standalone.service;

import io.cordwood.options.NamedValues;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.home.Installation;
import io.cordwood.standalone.home.Ports;
import io.cordwood.standalone.process.ServiceSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The balancer, which plans the routes of each tenant's traffic. */
final class BalancerService {
    static final String NAME = "balancer";
    private static final String MODULE = "balancer-service";
    private static final int HEAP_MEGABYTES = 256;
    private static final LogConfiguration LOG = new LogConfiguration(NAME, "WARN", Map.of("io.cordwood", "INFO"));

    private BalancerService() {}

    static ServiceSpec spec(
            Home home,
            Installation installation,
            Ports ports,
            StackOptions options,
            String kafka,
            String redis,
            String flink) {
        Set<String> dependencies = new HashSet<>();
        if (options.kafka().isEmpty()) {
            dependencies.add(KafkaService.NAME);
        }
        if (options.redis().isEmpty()) {
            dependencies.add(RedisService.NAME);
        }
        return new ServiceSpec(
                NAME,
                url(ports),
                dependencies,
                () -> command(home, installation, ports, options, kafka, redis, flink),
                () -> !Probes.get(url(ports) + "/api/routes").isEmpty(),
                () -> {},
                Duration.ofSeconds(20));
    }

    private static ServiceSpec.Command command(
            Home home,
            Installation installation,
            Ports ports,
            StackOptions options,
            String kafka,
            String redis,
            String flink) {
        return new JavaCommand(home, NAME)
                .heap(HEAP_MEGABYTES)
                .option("-XX:+UseSerialGC")
                .log4j(LOG)
                .argument("--host", ports.host())
                .argument("--port", Integer.toString(ports.of(NAME)))
                .argument("--bootstrap-servers", kafka)
                .argument("--redis", redis)
                .argument("--flink", flink)
                .argument("--streams", String.join(",", options.streams()))
                .argument("--kafka-properties", options.kafkaProperties().map(Path::toString))
                .arguments(NamedValues.arguments(options.balancer()))
                .run(installation, MODULE, "io.cordwood.balancer.service.Balancer");
    }

    static String url(Ports ports) {
        return "http://" + ports.address(NAME);
    }
}
