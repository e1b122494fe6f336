package io.cordwood.search;

import io.cordwood.catalog.option.CatalogFlags;
import io.cordwood.http.HttpSettings;
import io.cordwood.options.Port;
import io.cordwood.options.RedisFlags;
import io.cordwood.options.TlsFlags;
import io.cordwood.query.QuerySettings;
import io.cordwood.query.snapshot.HotTierReader;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of the search service on the command line. */
final class SearchServerFlags {
    private static final int PLANNING_THREADS = 8;
    private static final int S3_REQUESTS = 64;
    private static final long MEGABYTE = 1 << 20;
    private static final Duration RULES_MAX_AGE = Duration.ofSeconds(2);
    private static final Duration SCAN_REPORT_INTERVAL = Duration.ofSeconds(10);
    private static final Duration STATISTICS_INTERVAL = Duration.ofMillis(100);

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Mixin
    private CatalogFlags catalog;

    @Option(
            names = "--bootstrap-servers",
            required = true,
            paramLabel = "HOST:PORT,...",
            description = "Kafka brokers, for rows that are not in LogBlocks yet")
    private String kafka;

    @Option(names = "--kafka-properties", paramLabel = "FILE", description = "Kafka client properties: SASL, TLS")
    private Path kafkaProperties;

    @ArgGroup(multiplicity = "1")
    private RedisFlags redis;

    @Option(
            names = "--streams",
            split = ",",
            paramLabel = "NAME",
            defaultValue = "logs",
            description = "streams to search (default: ${DEFAULT-VALUE})")
    private List<String> streams;

    @Option(
            names = "--default-tenant",
            paramLabel = "T",
            defaultValue = "",
            description =
                    "tenant of records that name none, as the ingest job has it (default: such records have no rows)")
    private String defaultTenant;

    @Option(
            names = "--require-record-tokens",
            description = "records without a good token have no rows, as for the ingest job")
    private boolean requireRecordTokens;

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
            names = "--metrics-port",
            defaultValue = "0",
            converter = Port.class,
            description = "with --tls-keystore: port for the metrics, in plain HTTP; 0 for a free one")
    private int metricsPort;

    @Mixin
    private TlsFlags tls;

    @Option(
            names = "--cursor-key-file",
            paramLabel = "FILE",
            description =
                    "with --tls-keystore: file with a secret that all search services share, so that each takes the"
                            + " cursors of the others")
    private Path cursorKeyFile;

    @Option(
            names = "--trino",
            paramLabel = "URL",
            description = "the Trino coordinator that answers SQL of agents, as the caller (default: none does)")
    private URI trino;

    @Mixin
    private SearchTuning tuning;

    SearchServerOptions options() {
        if (tls.keystore().isPresent() && cursorKeyFile == null) {
            throw new ParameterException(spec.commandLine(), "--tls-keystore needs --cursor-key-file");
        }
        return new SearchServerOptions(
                new HttpSettings(
                        host,
                        port,
                        tls.keystore(),
                        tls.keystore().isPresent() ? OptionalInt.of(metricsPort) : OptionalInt.empty()),
                new QuerySettings(
                        catalog.uri(),
                        catalog.properties(),
                        streams,
                        RULES_MAX_AGE,
                        SCAN_REPORT_INTERVAL,
                        PLANNING_THREADS,
                        S3_REQUESTS,
                        new QuerySettings.Caches(
                                24 * MEGABYTE,
                                24 * MEGABYTE,
                                8 * MEGABYTE,
                                48 * MEGABYTE,
                                tuning.blockCacheBytes(),
                                tuning.decodedCacheBytes(),
                                tuning.diskCacheDirectory(),
                                tuning.diskCacheBytes()),
                        new HotTierReader.Settings(
                                Optional.of(kafka),
                                Optional.ofNullable(kafkaProperties),
                                Optional.of(redis.uri()),
                                STATISTICS_INTERVAL,
                                24 * MEGABYTE,
                                defaultTenant,
                                requireRecordTokens,
                                tuning.hotCacheBytes())),
                tuning.limits(),
                tuning.maxQuestions(),
                tuning.maxQuestionsOfTenant(),
                tuning.maxQuestionsOfUser(),
                tuning.questionMemoryBytes(),
                Optional.ofNullable(cursorKeyFile).filter(file -> tls.keystore().isPresent()),
                tuning.allowedHosts(),
                Optional.ofNullable(trino),
                tuning.alerts());
    }
}
