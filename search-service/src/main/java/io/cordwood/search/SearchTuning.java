package io.cordwood.search;

import io.cordwood.options.Positive;
import io.cordwood.options.Size;
import io.cordwood.options.Time;
import io.cordwood.query.search.ScanLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** Bounds, caches and names of the search service. {@code up --search NAME=VALUE} passes them on. */
public final class SearchTuning {
    private static final int QUESTIONS_PART = 5;

    @Option(
            names = "--question-timeout",
            paramLabel = "TIME",
            defaultValue = "30s",
            converter = Timeout.class,
            description = "time after which a question fails (default: ${DEFAULT-VALUE})")
    private Duration timeout;

    @Option(
            names = "--max-scan-size",
            paramLabel = "SIZE",
            defaultValue = "8gb",
            converter = Bytes.class,
            description = "bytes of LogBlocks that a question may read (default: ${DEFAULT-VALUE})")
    private long maxScanBytes;

    @Option(
            names = "--max-hot-size",
            paramLabel = "SIZE",
            defaultValue = "2gb",
            converter = Bytes.class,
            description = "bytes of records that a question may read from Kafka (default: ${DEFAULT-VALUE})")
    private long maxHotBytes;

    @Option(
            names = "--max-questions",
            paramLabel = "N",
            defaultValue = "16",
            converter = Positive.class,
            description = "questions that run at once; others wait (default: ${DEFAULT-VALUE})")
    private int maxQuestions;

    @Option(
            names = "--max-questions-of-tenant",
            paramLabel = "N",
            defaultValue = "8",
            converter = Positive.class,
            description = "the same, about one tenant (default: ${DEFAULT-VALUE})")
    private int maxQuestionsOfTenant;

    @Option(
            names = "--max-questions-of-user",
            paramLabel = "N",
            defaultValue = "8",
            converter = Positive.class,
            description = "the same, of one user of a service with tokens (default: ${DEFAULT-VALUE})")
    private int maxQuestionsOfUser;

    @Option(
            names = "--question-memory",
            paramLabel = "SIZE",
            converter = Bytes.class,
            description =
                    "memory that the questions that run at once may need together; others wait (default: a fifth of"
                            + " the heap)")
    private Long questionMemoryBytes;

    @Option(
            names = "--block-cache-size",
            paramLabel = "SIZE",
            defaultValue = "48mb",
            converter = Bytes.class,
            description = "memory for bytes read from LogBlocks (default: ${DEFAULT-VALUE})")
    private long blockCacheBytes;

    @Option(
            names = "--decoded-cache-size",
            paramLabel = "SIZE",
            defaultValue = "64mb",
            converter = Bytes.class,
            description = "memory for decoded column blocks (default: ${DEFAULT-VALUE})")
    private long decodedCacheBytes;

    @Option(
            names = "--hot-cache-size",
            paramLabel = "SIZE",
            defaultValue = "64mb",
            converter = Bytes.class,
            description = "memory for rows read from Kafka (default: ${DEFAULT-VALUE})")
    private long hotCacheBytes;

    @Option(
            names = "--disk-cache-directory",
            paramLabel = "DIR",
            description = "directory on a local disk for bytes that the block cache evicts (default: none)")
    private Path diskCacheDirectory;

    @Option(
            names = "--disk-cache-size",
            paramLabel = "SIZE",
            defaultValue = "10gb",
            converter = Bytes.class,
            description = "bytes on that disk (default: ${DEFAULT-VALUE})")
    private long diskCacheBytes;

    @Option(
            names = "--allowed-hosts",
            split = ",",
            paramLabel = "NAME",
            description = "names, beside localhost, by which requests may call an open service on loopback")
    private List<String> allowedHosts = List.of();

    static final class Timeout extends Time {
        Timeout() {
            super(Duration.ofMillis(100));
        }
    }

    static final class Bytes extends Size {}

    ScanLimits limits() {
        return new ScanLimits(
                maxScanBytes, maxHotBytes, timeout, Runtime.getRuntime().availableProcessors());
    }

    int maxQuestions() {
        return maxQuestions;
    }

    int maxQuestionsOfTenant() {
        return maxQuestionsOfTenant;
    }

    Set<String> allowedHosts() {
        return allowedHosts.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
    }

    int maxQuestionsOfUser() {
        return maxQuestionsOfUser;
    }

    long questionMemoryBytes() {
        return Optional.ofNullable(questionMemoryBytes)
                .orElseGet(() -> Runtime.getRuntime().maxMemory() / QUESTIONS_PART);
    }

    long blockCacheBytes() {
        return blockCacheBytes;
    }

    long decodedCacheBytes() {
        return decodedCacheBytes;
    }

    long hotCacheBytes() {
        return hotCacheBytes;
    }

    Optional<Path> diskCacheDirectory() {
        return Optional.ofNullable(diskCacheDirectory);
    }

    long diskCacheBytes() {
        return diskCacheBytes;
    }
}
