package io.cordwood.standalone.service;

import io.cordwood.catalog.io.S3Settings;
import io.cordwood.identity.Loopback;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.home.Installation;
import io.cordwood.standalone.home.Ports;
import io.cordwood.standalone.process.ServiceSpec;
import io.cordwood.standalone.secret.Account;
import io.cordwood.standalone.secret.Secrets;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** One service alone, as in a container, with all others elsewhere. It starts as in a stack. */
public enum SingleService {
    CATALOG(8181, 9409) {
        @Override
        ServiceSpec spec(
                Home home, Installation installation, Ports ports, StackOptions options, ClusterOptions cluster) {
            return CatalogService.spec(
                    home,
                    installation,
                    ports,
                    needed(options.catalogDatabase().or(() -> database(options)), "--catalog-db"),
                    needed(options.warehouse(), "--warehouse"),
                    options.s3(),
                    options.secrets(),
                    options.issuer());
        }
    },
    FLINK(8081, MetricsExporter.INGEST, 9404) {
        @Override
        ServiceSpec spec(
                Home home, Installation installation, Ports ports, StackOptions options, ClusterOptions cluster)
                throws InterruptedException {
            String kafka = needed(options.kafka(), "--kafka");
            Topics.of(kafka, options, Account.INGEST).createInExternalKafka();
            return FlinkService.spec(
                    home,
                    installation,
                    ports,
                    cluster.jobManager().isPresent() ? withSharedCheckpoints(options) : options,
                    cluster.jobManager(),
                    kafka,
                    needed(options.redis(), "--redis"),
                    needed(options.catalog(), "--catalog"),
                    needed(options.warehouse(), "--warehouse"));
        }
    },
    /** This service has no port for others. */
    FLINK_TASKMANAGER(0, MetricsExporter.INGEST, 9407) {
        @Override
        ServiceSpec spec(
                Home home, Installation installation, Ports ports, StackOptions options, ClusterOptions cluster) {
            return FlinkTaskManagerService.spec(
                    home,
                    installation,
                    ports,
                    needed(cluster.jobManager(), "--jobmanager"),
                    cluster.slots().orElseGet(FlinkService::subtasksHere),
                    options.s3(),
                    options.secrets());
        }
    },
    COMPACTION(8082, MetricsExporter.COMPACTION, 9405) {
        @Override
        ServiceSpec spec(
                Home home, Installation installation, Ports ports, StackOptions options, ClusterOptions cluster) {
            return CompactionService.spec(home, installation, ports, options, needed(options.catalog(), "--catalog"));
        }
    },
    BALANCER(8090, 9410) {
        @Override
        ServiceSpec spec(
                Home home, Installation installation, Ports ports, StackOptions options, ClusterOptions cluster) {
            return BalancerService.spec(
                    home,
                    installation,
                    ports,
                    options,
                    needed(options.kafka(), "--kafka"),
                    needed(options.redis(), "--redis"),
                    options.secrets().isPresent()
                            ? needed(options.catalog(), "--catalog")
                            : options.catalog().orElse(""),
                    cluster.flink().orElse(""));
        }
    },
    TRINO(8080, MetricsExporter.TRINO, 9406) {
        @Override
        ServiceSpec spec(
                Home home, Installation installation, Ports ports, StackOptions options, ClusterOptions cluster) {
            TrinoNode node = cluster.coordinator()
                    .map(TrinoNode::coordinator)
                    .orElseGet(() -> TrinoNode.alone(ports, options.secrets()));
            return TrinoService.spec(
                    home, installation, ports, node, trinoCatalog(options), Optional.empty(), options.secrets());
        }
    },
    TRINO_WORKER(8084, MetricsExporter.TRINO, 9408) {
        @Override
        ServiceSpec spec(
                Home home, Installation installation, Ports ports, StackOptions options, ClusterOptions cluster) {
            TrinoNode node = TrinoNode.worker(needed(cluster.coordinator(), "--coordinator"), cluster.address(), ports);
            return TrinoService.spec(
                    home, installation, ports, node, trinoCatalog(options), Optional.empty(), options.secrets());
        }
    },
    SEARCH(8095, 9411) {
        @Override
        ServiceSpec spec(
                Home home, Installation installation, Ports ports, StackOptions options, ClusterOptions cluster) {
            return SearchService.spec(
                    home,
                    installation,
                    ports,
                    options,
                    needed(options.kafka(), "--kafka"),
                    needed(options.redis(), "--redis"),
                    needed(options.catalog(), "--catalog"),
                    cluster.trino());
        }
    },
    GATEWAY(8096, 9412) {
        @Override
        ServiceSpec spec(
                Home home, Installation installation, Ports ports, StackOptions options, ClusterOptions cluster) {
            return GatewayService.spec(
                    home,
                    installation,
                    ports,
                    options,
                    needed(options.kafka(), "--kafka"),
                    needed(options.redis(), "--redis"),
                    needed(options.catalog(), "--catalog"));
        }

        @Override
        Map<String, Integer> morePorts() {
            return Map.of(GatewayService.OTLP_GRPC, 4317, GatewayService.SYSLOG, 6514);
        }
    };

    private final int defaultPort;
    private final Optional<MetricsExporter> exporter;
    private final int defaultMetricsPort;

    SingleService(int defaultPort, int defaultMetricsPort) {
        this(defaultPort, Optional.empty(), defaultMetricsPort);
    }

    SingleService(int defaultPort, MetricsExporter exporter, int defaultMetricsPort) {
        this(defaultPort, Optional.of(exporter), defaultMetricsPort);
    }

    SingleService(int defaultPort, Optional<MetricsExporter> exporter, int defaultMetricsPort) {
        this.defaultPort = defaultPort;
        this.exporter = exporter;
        this.defaultMetricsPort = defaultMetricsPort;
    }

    /** Its ports besides the main one and that for metrics, by name. */
    Map<String, Integer> morePorts() {
        return Map.of();
    }

    private static Optional<String> database(StackOptions options) {
        return options.secrets().flatMap(Secrets::catalogDatabase);
    }

    private static TrinoCatalog trinoCatalog(StackOptions options) {
        return TrinoCatalog.of(
                needed(options.catalog(), "--catalog"),
                needed(options.kafka(), "--kafka"),
                needed(options.redis(), "--redis"),
                options);
    }

    /** Checks that checkpoints do not go to the home, which belongs to one service. */
    private static StackOptions withSharedCheckpoints(StackOptions options) {
        if (options.checkpointDir().isEmpty()
                && !options.warehouse().map(S3Settings::isS3).orElse(false)) {
            throw new CordwoodException(
                    "--checkpoint-dir is needed (or CORDWOOD_CHECKPOINT_DIR in the environment): a directory that the job and its TaskManagers share");
        }
        return options;
    }

    /** The name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    abstract ServiceSpec spec(
            Home home, Installation installation, Ports ports, StackOptions options, ClusterOptions cluster)
            throws InterruptedException;

    /**
     * Writes the service's configuration to the home, creates the topics if the service reads them, and returns the
     * command.
     *
     * @param host the address to listen on
     * @param port the port; absent: the service's own
     * @param metricsPort port of the metrics exporter, if the service has one; absent: the service's own
     * @param cluster addresses and sizes of its cluster
     * @throws CordwoodException if an option or a secret that the service needs is missing, other services of its
     *     cluster could not reach it, or Kafka does not answer
     */
    public List<String> command(
            Home home,
            Installation installation,
            StackOptions options,
            String host,
            Optional<Integer> port,
            Optional<Integer> metricsPort,
            ClusterOptions cluster)
            throws IOException, InterruptedException {
        requireReachable(host, cluster);
        options.secrets().ifPresent(ServiceSecrets.of(toString())::check);
        Map<String, Integer> all = new HashMap<>(morePorts());
        all.put(toString(), port.orElse(defaultPort));
        all.put(
                exporter.map(MetricsExporter::portName).orElse(this + "-metrics"),
                metricsPort.orElse(defaultMetricsPort));
        Ports ports = Ports.fixed(host, all);
        return spec(home, installation, ports, options, cluster)
                .launch()
                .prepare()
                .arguments();
    }

    /** Checks that services on other machines can reach the address that this service listens on. */
    private void requireReachable(String host, ClusterOptions cluster) {
        switch (this) {
            case FLINK, FLINK_TASKMANAGER ->
                cluster.jobManager()
                        .ifPresent(address -> requireReachable(
                                host, "--jobmanager", address, address.substring(0, address.lastIndexOf(':'))));
            case TRINO, TRINO_WORKER ->
                cluster.coordinator()
                        .ifPresent(address ->
                                requireReachable(host, "--coordinator", address.toString(), address.getHost()));
            case CATALOG, COMPACTION, BALANCER, SEARCH, GATEWAY -> {}
        }
    }

    private static void requireReachable(String host, String option, String address, String firstHost) {
        if (Loopback.is(host) && !Loopback.is(firstHost)) {
            throw new CordwoodException(
                    "--bind %s can be reached from this machine only, and %s is %s: set --bind (or %s in the environment) to an address that the others can reach, or 0.0.0.0"
                            .formatted(host, option, address, variable("--bind")));
        }
    }

    private static <T> T needed(Optional<T> value, String option) {
        return value.orElseThrow(() ->
                new CordwoodException("%s is needed (or %s in the environment)".formatted(option, variable(option))));
    }

    /** The environment variable of an option. */
    public static String variable(String option) {
        return "CORDWOOD_" + option.replaceFirst("^-+", "").replace('-', '_').toUpperCase(Locale.ROOT);
    }
}
