package io.cordwood.compaction;

import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.util.TimeUtils;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The job's options on the command line. */
final class CompactionFlags {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "--catalog-uri", required = true, paramLabel = "URL", description = "the catalog service")
    private URI catalogUri;

    @Option(
            names = "--catalog-properties",
            paramLabel = "FILE",
            description = "properties of the catalog client and of object storage")
    private Path catalogProperties;

    @Option(
            names = "--streams",
            split = ",",
            paramLabel = "NAME",
            defaultValue = "logs",
            description = "streams whose tables are compacted (default: ${DEFAULT-VALUE})")
    private List<String> streams;

    @Option(names = "--tenant", paramLabel = "T", description = "only this tenant's tables")
    private String tenantId;

    @Option(
            names = "--once",
            description = "run one cycle that merges everything that reduces the number of LogBlocks, then exit")
    private boolean isOnce;

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            defaultValue = "1min",
            description = "time between cycles (default: ${DEFAULT-VALUE})")
    private String interval;

    @Option(
            names = "--target-size",
            paramLabel = "BYTES",
            defaultValue = "128mb",
            description = "target size of a LogBlock (default: ${DEFAULT-VALUE})")
    private String targetSize;

    @Option(
            names = "--budget",
            paramLabel = "BYTES",
            defaultValue = "4gb",
            description =
                    "bytes that a cycle may rewrite; the most profitable merges come first (default: ${DEFAULT-VALUE})")
    private String budget;

    @Option(
            names = "--parallelism",
            paramLabel = "N",
            defaultValue = "1",
            description = "days merged at a time (default: ${DEFAULT-VALUE})")
    private int parallelism;

    @Option(
            names = "--zstd-level",
            paramLabel = "N",
            defaultValue = "9",
            description = "compression level of merged LogBlocks, 1 to 22 (default: ${DEFAULT-VALUE})")
    private int zstdLevel;

    @Option(
            names = "--snapshot-grace",
            paramLabel = "TIME",
            defaultValue = "1h",
            description =
                    "how long queries may read merged or deleted data before its objects are deleted (default: ${DEFAULT-VALUE})")
    private String snapshotGrace;

    @Option(
            names = "--orphan-interval",
            paramLabel = "TIME",
            defaultValue = "1d",
            description = "time between two searches of a table for orphans (default: ${DEFAULT-VALUE})")
    private String orphanInterval;

    CompactionOptions options() {
        require(parallelism >= 1 && parallelism <= 128, "--parallelism: %s is not between 1 and 128", parallelism);
        require(zstdLevel >= 1 && zstdLevel <= 22, "--zstd-level: %s is not between 1 and 22", zstdLevel);
        return new CompactionOptions(
                catalogUri,
                properties(),
                streams,
                Optional.ofNullable(tenantId),
                isOnce,
                duration("--interval", interval),
                targetBytes(),
                isOnce ? Long.MAX_VALUE : bytes("--budget", budget),
                parallelism,
                zstdLevel,
                grace(),
                duration("--orphan-interval", orphanInterval));
    }

    private Map<String, String> properties() {
        Map<String, String> properties = new HashMap<>();
        if (catalogProperties != null) {
            Properties file = new Properties();
            try (Reader reader = Files.newBufferedReader(catalogProperties)) {
                file.load(reader);
            } catch (IOException e) {
                throw new ParameterException(
                        spec.commandLine(), "--catalog-properties: cannot read %s: %s".formatted(catalogProperties, e));
            }
            file.stringPropertyNames().forEach(name -> properties.put(name, file.getProperty(name)));
        }
        return properties;
    }

    /** The committer looks for the outcome of an unanswered commit in the snapshots, so they must stay for a minute. */
    private Duration grace() {
        Duration grace = duration("--snapshot-grace", snapshotGrace);
        require(grace.toSeconds() >= 60, "--snapshot-grace: %s is less than a minute", snapshotGrace);
        return grace;
    }

    private long targetBytes() {
        long bytes = bytes("--target-size", targetSize);
        require(bytes <= 1 << 30, "--target-size: %s is more than 1 gb", targetSize);
        return bytes;
    }

    private Duration duration(String option, String text) {
        try {
            Duration duration = TimeUtils.parseDuration(text);
            require(duration.toMillis() >= 100, option + ": %s is less than 100 ms", text);
            return duration;
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new ParameterException(
                    spec.commandLine(), "%s: %s is not a time such as 30s, 5min or 1h".formatted(option, text));
        }
    }

    private long bytes(String option, String text) {
        try {
            long bytes = MemorySize.parseBytes(text);
            require(bytes >= 1 << 16, option + ": %s is less than 64 kb", text);
            return bytes;
        } catch (IllegalArgumentException e) {
            throw new ParameterException(
                    spec.commandLine(), "%s: %s is not a size such as 64mb or 4gb".formatted(option, text));
        }
    }

    private void require(boolean condition, String message, Object value) {
        if (!condition) {
            throw new ParameterException(spec.commandLine(), message.formatted(value));
        }
    }
}
