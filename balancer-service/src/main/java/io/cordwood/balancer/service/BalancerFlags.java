package io.cordwood.balancer.service;

import io.cordwood.options.HttpUri;
import io.cordwood.options.KafkaFlags;
import io.cordwood.options.Port;
import io.cordwood.options.RedisFlags;
import io.cordwood.options.TlsFlags;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The balancer's options on the command line. */
final class BalancerFlags {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Mixin
    private KafkaFlags kafka;

    @ArgGroup(multiplicity = "1")
    private RedisFlags redis;

    @Option(
            names = "--flink",
            paramLabel = "URL",
            defaultValue = "",
            description = "Flink's REST interface; without it all workers count as idle")
    private String flink;

    @Option(
            names = "--streams",
            split = ",",
            paramLabel = "NAME",
            defaultValue = "logs",
            description = "streams to balance (default: ${DEFAULT-VALUE})")
    private List<String> streams;

    @Option(
            names = "--host",
            defaultValue = "127.0.0.1",
            description = "address to listen on (default: ${DEFAULT-VALUE})")
    private String host;

    @Option(
            names = "--port",
            defaultValue = "0",
            converter = Port.class,
            description = "port to listen on; 0 for a free one (default: ${DEFAULT-VALUE})")
    private int port;

    @Option(
            names = "--group-id",
            paramLabel = "NAME",
            defaultValue = "cordwood-ingest",
            description = "consumer group that shows the ingest job's progress (default: ${DEFAULT-VALUE})")
    private String groupId;

    @Option(
            names = "--catalog-uri",
            paramLabel = "URL",
            converter = HttpUri.class,
            description =
                    "the catalog service; with --tls-keystore, only operators and services that it knows are served")
    private URI catalog;

    @Option(
            names = "--metrics-port",
            defaultValue = "0",
            converter = Port.class,
            description = "with --tls-keystore: port for the metrics, on this machine; 0 for a free one")
    private int metricsPort;

    @Mixin
    private TlsFlags tls;

    @Mixin
    private BalancerTuning tuning;

    BalancerOptions options() {
        if (tuning.maxWorkers() > 0 && flink.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "--max-workers needs --flink, the address of Flink's REST interface");
        }
        return new BalancerOptions(
                kafka.properties(),
                redis.uri(),
                flink,
                streams,
                host,
                port,
                tuning.interval(),
                tuning.lease(),
                tuning.window(),
                tuning.stale(),
                tuning.hotRounds(),
                tuning.capacities(),
                groupId,
                tuning.maxPartitions(),
                tuning.maxWorkers(),
                tuning.quotas(),
                access());
    }

    private Optional<BalancerAccess> access() {
        if (tls.keystore().isEmpty()) {
            return Optional.empty();
        }
        if (catalog == null || tls.authorities().isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--tls-keystore needs --tls-authorities, and --catalog-uri, which knows the callers");
        }
        return Optional.of(new BalancerAccess(
                catalog, tls.keystore().get(), tls.authorities().get(), metricsPort));
    }
}
