package io.cordwood.standalone.service;

import io.cordwood.standalone.CordwoodException;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.home.Installation;
import io.cordwood.standalone.home.Ports;
import io.cordwood.standalone.process.ServiceSpec;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** One service by itself, with all others elsewhere: what a container runs. Started as a stack starts it. */
public enum SingleService {
    CATALOG(8181, Optional.empty()) {
        @Override
        ServiceSpec spec(Home home, Installation installation, Ports ports, StackOptions options, String flink) {
            return CatalogService.spec(
                    home,
                    installation,
                    ports,
                    needed(options.catalogDatabase(), "--catalog-db"),
                    needed(options.warehouse(), "--warehouse"),
                    options.s3());
        }
    },
    FLINK(8081, Optional.of(MetricsAgent.INGEST)) {
        @Override
        ServiceSpec spec(Home home, Installation installation, Ports ports, StackOptions options, String flink)
                throws InterruptedException {
            String kafka = needed(options.kafka(), "--kafka");
            Topics.of(kafka, options).createInExternalKafka();
            return FlinkService.spec(
                    home,
                    installation,
                    ports,
                    options,
                    kafka,
                    needed(options.redis(), "--redis"),
                    needed(options.catalog(), "--catalog"),
                    needed(options.warehouse(), "--warehouse"));
        }
    },
    COMPACTION(8082, Optional.of(MetricsAgent.COMPACTION)) {
        @Override
        ServiceSpec spec(Home home, Installation installation, Ports ports, StackOptions options, String flink) {
            return CompactionService.spec(home, installation, ports, options, needed(options.catalog(), "--catalog"));
        }
    },
    BALANCER(8090, Optional.empty()) {
        @Override
        ServiceSpec spec(Home home, Installation installation, Ports ports, StackOptions options, String flink) {
            return BalancerService.spec(
                    home,
                    installation,
                    ports,
                    options,
                    needed(options.kafka(), "--kafka"),
                    needed(options.redis(), "--redis"),
                    flink);
        }
    },
    TRINO(8080, Optional.of(MetricsAgent.TRINO)) {
        @Override
        ServiceSpec spec(Home home, Installation installation, Ports ports, StackOptions options, String flink) {
            TrinoCatalog catalog = TrinoCatalog.of(
                    needed(options.catalog(), "--catalog"),
                    needed(options.kafka(), "--kafka"),
                    needed(options.redis(), "--redis"),
                    options);
            return TrinoService.spec(home, installation, ports, catalog, Optional.empty());
        }
    };

    private final int defaultPort;
    private final Optional<MetricsAgent> agent;

    SingleService(int defaultPort, Optional<MetricsAgent> agent) {
        this.defaultPort = defaultPort;
        this.agent = agent;
    }

    abstract ServiceSpec spec(Home home, Installation installation, Ports ports, StackOptions options, String flink)
            throws InterruptedException;

    /**
     * Writes the service's configuration to the home, makes the topics if it reads them, and tells the command.
     *
     * @param host the address to listen on
     * @param port the port; absent: the service's own
     * @param metricsPort where the agent answers Prometheus, if the service has one
     * @param flink address of the ingest job's Flink, for the balancer; empty for none
     * @throws CordwoodException if an option is missing that the service needs, or Kafka does not answer
     */
    public List<String> command(
            Home home,
            Installation installation,
            StackOptions options,
            String host,
            Optional<Integer> port,
            int metricsPort,
            String flink)
            throws IOException, InterruptedException {
        String name = name().toLowerCase(Locale.ROOT);
        Ports ports = Ports.fixed(
                host,
                Map.of(
                        name,
                        port.orElse(defaultPort),
                        agent.map(MetricsAgent::portName).orElse("no agent"),
                        metricsPort));
        return spec(home, installation, ports, options, flink)
                .launch()
                .prepare()
                .arguments();
    }

    private static <T> T needed(Optional<T> value, String option) {
        return value.orElseThrow(() ->
                new CordwoodException("%s is needed (or %s in the environment)".formatted(option, variable(option))));
    }

    /** The variable of the environment that stands for an option. */
    public static String variable(String option) {
        return "CORDWOOD_" + option.replaceFirst("^-+", "").replace('-', '_').toUpperCase(Locale.ROOT);
    }
}
