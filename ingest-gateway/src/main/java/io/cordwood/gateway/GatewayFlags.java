package io.cordwood.gateway;

import io.cordwood.catalog.option.CatalogFlags;
import io.cordwood.http.HttpSettings;
import io.cordwood.options.KafkaFlags;
import io.cordwood.options.Port;
import io.cordwood.options.RedisFlags;
import io.cordwood.options.TlsFlags;
import java.util.List;
import java.util.OptionalInt;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of the gateway on the command line. */
final class GatewayFlags {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Mixin
    private CatalogFlags catalog;

    @Mixin
    private KafkaFlags kafka;

    @ArgGroup(multiplicity = "1")
    private RedisFlags redis;

    @Option(
            names = "--streams",
            split = ",",
            paramLabel = "NAME",
            defaultValue = "logs",
            description = "streams to take rows for (default: ${DEFAULT-VALUE})")
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
            names = "--otlp-grpc-port",
            defaultValue = "0",
            converter = Port.class,
            description = "port for OTLP over gRPC; 0 for a free one (default: ${DEFAULT-VALUE})")
    private int otlpGrpcPort;

    @Option(
            names = "--metrics-port",
            defaultValue = "0",
            converter = Port.class,
            description = "with --tls-keystore: port for the metrics, in plain HTTP; 0 for a free one")
    private int metricsPort;

    @Option(
            names = "--syslog-port",
            converter = Port.class,
            description = "port for syslog over TCP, with --tls-keystore over TLS; 0 for a free one (default: none)")
    private Integer syslogPort;

    @Mixin
    private TlsFlags tls;

    @Mixin
    private GatewayTuning tuning;

    GatewayOptions options() {
        if (tuning.syslogUdpPort().isPresent()
                && (syslogPort == null || tls.keystore().isPresent())) {
            // A key would travel in clear
            throw new ParameterException(
                    spec.commandLine(), "--syslog-udp-port needs --syslog-port, and an open gateway");
        }
        return new GatewayOptions(
                new HttpSettings(
                        host,
                        port,
                        tls.keystore(),
                        tls.keystore().isPresent() ? OptionalInt.of(metricsPort) : OptionalInt.empty()),
                syslogPort == null ? OptionalInt.empty() : OptionalInt.of(syslogPort),
                tuning.syslogUdpPort(),
                otlpGrpcPort,
                catalog.uri(),
                catalog.properties(),
                kafka.properties(),
                redis.uri(),
                streams,
                tuning.allowedHosts(),
                tuning.maxRequestBytes(),
                tuning.maxInFlightBytes(),
                tuning.maxInFlightBytesOfTenant());
    }
}
