package io.cordwood.standalone.service;

import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.home.Installation;
import io.cordwood.standalone.home.Ports;
import io.cordwood.standalone.process.ServiceSpec;
import io.cordwood.standalone.process.Supervisor;
import io.cordwood.standalone.secret.Secrets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A Kafka and a Redis that know the secrets of a lake, as an operator would run them beside its services. Kafka knows
 * its admin alone.
 */
public final class ClosedServers {
    private static final Duration READY = Duration.ofMinutes(2);

    private final Ports ports;
    private final Supervisor supervisor;

    private ClosedServers(Ports ports, Supervisor supervisor) {
        this.ports = ports;
        this.supervisor = supervisor;
    }

    /** Starts both, with a home of their own. */
    public static ClosedServers start(Path root, Home home, Secrets secrets) throws InterruptedException {
        home.create();
        Ports ports = Ports.of(
                home,
                List.of(
                        KafkaService.NAME,
                        KafkaService.CONTROLLER,
                        MetricsExporter.BROKER.portName(),
                        RedisService.NAME));
        Topics topics = Topics.ofStack(
                ports.address(KafkaService.NAME), StackOptions.defaults().with(secrets));
        ServiceSpec kafka = KafkaService.spec(
                home, new Installation(root), ports, topics, Optional.of(secrets), KafkaService.LONGEST_LOGIN);
        Supervisor supervisor = new Supervisor(
                home, List.of(withoutUsers(kafka), RedisService.spec(home, ports, Optional.of(secrets))), status -> {});
        supervisor.start();
        supervisor.awaitReady(READY);
        return new ClosedServers(ports, supervisor);
    }

    private static ServiceSpec withoutUsers(ServiceSpec kafka) {
        return new ServiceSpec(
                kafka.name(),
                kafka.endpoint(),
                kafka.dependencies(),
                kafka.launch(),
                kafka.probe(),
                () -> {},
                kafka.stopLimit());
    }

    /** {@code host:port}. */
    public String kafka() {
        return ports.address(KafkaService.NAME);
    }

    /** The address, without an account. */
    public String redis() {
        return "rediss://" + ports.address(RedisService.NAME);
    }

    /** Ends both. */
    public void stop() throws InterruptedException {
        supervisor.stop();
    }
}
