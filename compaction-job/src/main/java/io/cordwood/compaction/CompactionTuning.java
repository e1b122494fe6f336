package io.cordwood.compaction;

import io.cordwood.catalog.table.DenseAfter;
import io.cordwood.options.Size;
import io.cordwood.options.Time;
import io.cordwood.options.WholeNumber;
import java.time.Duration;
import java.util.OptionalInt;
import picocli.CommandLine.Option;

/** The job's options that say how much it does and when: those that a stack passes on. */
public final class CompactionTuning {
    @Option(
            names = "--interval",
            paramLabel = "TIME",
            defaultValue = "1min",
            converter = Pause.class,
            description = "time between cycles (default: ${DEFAULT-VALUE})")
    private Duration interval;

    @Option(
            names = "--target-size",
            paramLabel = "BYTES",
            defaultValue = "128mb",
            converter = LogBlockSize.class,
            description = "target size of a LogBlock (default: ${DEFAULT-VALUE})")
    private long targetBytes;

    @Option(
            names = "--budget",
            paramLabel = "BYTES",
            defaultValue = "4gb",
            converter = Budget.class,
            description =
                    "bytes that a cycle may rewrite, besides those for the dense layout; the most profitable merges come first (default: ${DEFAULT-VALUE})")
    private long budgetBytes;

    @Option(
            names = "--parallelism",
            paramLabel = "N",
            defaultValue = "1",
            converter = Parallelism.class,
            description = "days merged at a time, 1 to 128 (default: ${DEFAULT-VALUE})")
    private int parallelism;

    @Option(
            names = "--zstd-level",
            paramLabel = "N",
            defaultValue = "9",
            converter = ZstdLevel.class,
            description = "compression level of merged LogBlocks, 1 to 22 (default: ${DEFAULT-VALUE})")
    private int zstdLevel;

    @Option(
            names = "--copy-text",
            arity = "1",
            paramLabel = "true|false",
            defaultValue = "true",
            description =
                    "copy pages of text and their terms where rows do not overlap, instead of encoding and indexing them anew (default: ${DEFAULT-VALUE})")
    private boolean copiesText;

    @Option(
            names = "--snapshot-grace",
            paramLabel = "TIME",
            defaultValue = "1h",
            converter = Grace.class,
            description =
                    "how long queries may read merged or deleted data before its objects are deleted (default: ${DEFAULT-VALUE})")
    private Duration snapshotGrace;

    @Option(
            names = "--orphan-interval",
            paramLabel = "TIME",
            defaultValue = "1d",
            converter = Pause.class,
            description = "time between two searches of a table for orphans (default: ${DEFAULT-VALUE})")
    private Duration orphanInterval;

    @Option(
            names = "--dense-after-days",
            paramLabel = "N",
            defaultValue = "0",
            converter = Days.class,
            description =
                    "rewrite a day of rows in the dense layout so many days after its end: fewer bytes, slower to search; 0: never. A table's property cordwood.dense-after-days wins (default: ${DEFAULT-VALUE})")
    private int denseAfterDays;

    Duration interval() {
        return interval;
    }

    long targetBytes() {
        return targetBytes;
    }

    long budgetBytes() {
        return budgetBytes;
    }

    /** The number of days merged at a time. */
    public int parallelism() {
        return parallelism;
    }

    int zstdLevel() {
        return zstdLevel;
    }

    boolean copiesText() {
        return copiesText;
    }

    Duration snapshotGrace() {
        return snapshotGrace;
    }

    Duration orphanInterval() {
        return orphanInterval;
    }

    OptionalInt denseAfterDays() {
        return DenseAfter.ofNumber(denseAfterDays);
    }

    private static final class Days extends WholeNumber {
        Days() {
            super(0, DenseAfter.MOST_DAYS);
        }
    }

    private static final class Pause extends Time {
        Pause() {
            super(Duration.ofMillis(100));
        }
    }

    /** The committer looks for the outcome of an unanswered commit in the snapshots, so they must stay for a minute. */
    private static final class Grace extends Time {
        Grace() {
            super(Duration.ofMinutes(1));
        }
    }

    private static final class LogBlockSize extends Size {
        LogBlockSize() {
            super(64 << 10, 1 << 30);
        }
    }

    private static final class Budget extends Size {
        Budget() {
            super(64 << 10, Long.MAX_VALUE);
        }
    }

    private static final class Parallelism extends WholeNumber {
        Parallelism() {
            super(1, 128);
        }
    }

    private static final class ZstdLevel extends WholeNumber {
        ZstdLevel() {
            super(1, 22);
        }
    }
}
