package io.cordwood.benchmarks.compaction;

import io.cordwood.benchmarks.report.Report;
import io.cordwood.compaction.plan.LogBlockEntry;
import io.cordwood.compaction.plan.Merge;
import io.cordwood.compaction.plan.MergePlanner;
import io.cordwood.compaction.plan.MergePlanner.Effort;
import io.cordwood.compaction.plan.MergeSettings;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Simulates the merge planner on a tenant's days, without writing data. LogBlocks are flushed as the ingest job would
 * do, and each merge completes at once, with LogBlocks of even size in time order. Not thread-safe.
 */
final class MergeYear {
    private static final long DAY_MICROS = 86_400_000_000L;
    private static final long MINUTE_MICROS = 60_000_000;
    /** Time after its end when a day counts as closed. */
    private static final int LATE_MINUTES = 60;

    private static final int DAY_MINUTES = 24 * 60;

    private final MergeSettings settings;
    private final MergePlanner planner;
    private final Random random = new Random(42);

    private long flushedBytes;
    private long rewrittenBytes;
    private long planNanos;
    private long cycles;
    private long days;
    private int mostOpen;
    private long closedLogBlocks;
    private long idealLogBlocks;
    private int mostClosed;
    private long names;

    MergeYear(MergeSettings settings) {
        this.settings = settings;
        this.planner = new MergePlanner(settings);
    }

    /**
     * The arrival of a tenant's rows.
     *
     * @param bytesPerDay stored bytes per day
     * @param partitions number of partitions; each is flushed separately
     * @param flushMinutes minutes between two flushes of a partition
     * @param cycleMinutes minutes between two cycles; a cycle without a flush since the last one skips the table
     */
    record Traffic(long bytesPerDay, int partitions, int flushMinutes, int cycleMinutes) {}

    /** Simulates one day of a tenant. Days are planned separately, so a year is a repetition of days. */
    void day(int epochDay, Traffic traffic) {
        List<LogBlockEntry> logBlocks = new ArrayList<>();
        long flushes = (long) traffic.partitions() * (DAY_MINUTES / traffic.flushMinutes());
        boolean isChanged = false;
        for (int minute = 1; minute <= DAY_MINUTES + LATE_MINUTES; minute++) {
            if (minute <= DAY_MINUTES && minute % traffic.flushMinutes() == 0) {
                for (int partition = 0; partition < traffic.partitions(); partition++) {
                    logBlocks.add(flush(epochDay, minute, traffic, flushes));
                }
                isChanged = true;
            }
            mostOpen = Math.max(mostOpen, logBlocks.size());
            if (minute % traffic.cycleMinutes() == 0 && isChanged) {
                isChanged = merge(logBlocks, Effort.OPEN_DAY);
            }
        }
        while (merge(logBlocks, Effort.CLOSED_DAY)) {
            // The next cycle checks again
        }
        days++;
        closedLogBlocks += logBlocks.size();
        mostClosed = Math.max(mostClosed, logBlocks.size());
        idealLogBlocks += settings.ideal(
                logBlocks.stream().mapToLong(LogBlockEntry::sizeInBytes).sum());
    }

    private LogBlockEntry flush(int epochDay, int minute, Traffic traffic, long flushes) {
        long to = epochDay * DAY_MICROS + minute * MINUTE_MICROS - 1;
        long from = to + 1 - traffic.flushMinutes() * MINUTE_MICROS;
        long bytes = Math.max(1, (long) (traffic.bytesPerDay() * random.nextDouble(0.5, 1.5) / flushes));
        flushedBytes += bytes;
        return entry(bytes, from + random.nextInt(1_000_000), to - random.nextInt(1_000_000));
    }

    private LogBlockEntry entry(long bytes, long from, long to) {
        names++;
        return new LogBlockEntry(Long.toString(names), bytes, 1, from, to, false, false);
    }

    /** Whether there was anything to merge. */
    private boolean merge(List<LogBlockEntry> logBlocks, Effort effort) {
        long begun = cpuNanos();
        List<Merge> merges = planner.plan(logBlocks, effort, false);
        planNanos += cpuNanos() - begun;
        cycles++;
        for (Merge merge : merges) {
            rewrittenBytes += merge.bytes();
            Set<LogBlockEntry> inputs = new HashSet<>(merge.inputs());
            logBlocks.removeIf(inputs::contains);
            long from = merge.inputs().getFirst().firstTime();
            long to = merge.inputs().stream()
                    .mapToLong(LogBlockEntry::lastTime)
                    .max()
                    .orElseThrow();
            for (int output = 0; output < merge.outputs(); output++) {
                logBlocks.add(entry(
                        merge.bytes() / merge.outputs(),
                        from + (to - from) * output / merge.outputs(),
                        from + (to - from) * (output + 1) / merge.outputs()));
            }
        }
        return !merges.isEmpty();
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    /**
     * Reports the figures under this name.
     *
     * @param tenants number of tenants that a cycle maintains
     */
    void report(Report report, String name, int tenants) {
        report.add(name, "write_amplification", (double) (flushedBytes + rewrittenBytes) / flushedBytes, "ratio");
        report.add(name, "logblocks_a_day_open_most", mostOpen, "files");
        report.add(name, "logblocks_a_day_closed", (double) closedLogBlocks / days, "files");
        report.add(name, "logblocks_a_day_closed_most", mostClosed, "files");
        report.add(name, "files_ideal", (double) idealLogBlocks / days, "files");
        report.add(name, "planning_ms_per_cycle", planNanos / 1e6 / cycles * tenants, "ms");
    }
}
