package io.cordwood.benchmarks.profile;

import io.cordwood.benchmarks.report.Report;
import io.cordwood.benchmarks.run.Jcmd;
import io.cordwood.benchmarks.run.ProcessUsage;
import io.cordwood.benchmarks.run.Scratch;
import io.cordwood.logblock.schema.ColumnWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.DoubleSummaryStatistics;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * A profile of the CPU time and the allocations of a running JVM. The operating system reports the time of its own
 * threads (compiler, garbage collector); the rest is divided by Flight Recorder's samples of CPU time, including native
 * code. Not thread-safe.
 */
public final class CpuProfile {
    private static final String NAME = "bench";
    private static final String SAMPLE = "jdk.CPUTimeSample";
    private static final String PERIOD = "10ms";
    /** The suffix of lambda names, which differs between runs. */
    private static final Pattern HIDDEN_CLASS = Pattern.compile("[./]0x[0-9a-f]+$");

    private static final String ALLOCATION = "jdk.ObjectAllocationSample";
    private static final String COLLECTION = "jdk.GarbageCollection";
    private static final String ALLOCATIONS_A_SECOND = "150/s";

    private final long pid;
    private final StageTable stages;
    private final Path file;
    private final ProcessUsage usageBefore;
    private final ThreadTimes threadsBefore;

    /**
     * The result of a profile.
     *
     * @param cpuSeconds CPU time of the whole process during the recording
     * @param samples number of stacks behind the shares
     * @param shares shares of {@code cpuSeconds} by stage, largest first; their sum is 1
     * @param columns shares of {@code cpuSeconds} for single columns of LogBlocks, by name and kind of work, largest
     *     first; {@code shares} includes them
     * @param allocatedBytes allocated bytes by stage, largest first
     * @param pauses pauses of the collector in milliseconds
     * @param flames all stacks of Java code
     */
    public record Shares(
            double cpuSeconds,
            int samples,
            Map<String, Double> shares,
            Map<String, Double> columns,
            Map<String, Double> allocatedBytes,
            DoubleSummaryStatistics pauses,
            FlameGraph flames) {
        /**
         * Adds the shares to a report.
         *
         * @param units unit of work, such as queries or rows
         */
        public void report(Report report, double units, String unit) {
            shares.forEach((stage, share) -> {
                report.add("profile/" + stage, "cpu_share", share, "ratio");
            });
            columns.forEach((column, share) -> report.add("column/" + column, "cpu_share", share, "ratio"));
            allocatedBytes.forEach((stage, bytes) -> {
                report.add("profile/" + stage, "allocated_bytes_per_" + unit, bytes / units, "bytes");
            });
            report.add("profile", "cpu_ms_per_" + unit, cpuSeconds * 1e3 / units, "ms");
            report.add("profile", "samples", samples, "stacks");
            report.add("profile", "gc_pauses", (double) pauses.getCount(), "pauses");
            report.add("profile", "gc_pause_ms_sum", pauses.getSum(), "ms");
            report.add("profile", "gc_pause_ms_max", Math.max(0, pauses.getMax()), "ms");
        }
    }

    private CpuProfile(long pid, StageTable stages, Path file) throws IOException {
        this.pid = pid;
        this.stages = stages;
        this.file = file;
        usageBefore = ProcessUsage.of(pid);
        threadsBefore = ThreadTimes.of(pid);
    }

    /**
     * Starts recording a JVM of the same user.
     *
     * @param scratch receives the recording
     */
    public static CpuProfile start(long pid, StageTable stages, Scratch scratch)
            throws IOException, InterruptedException {
        Jcmd.run(
                pid,
                "JFR.start",
                "name=" + NAME,
                "settings=none",
                "+" + SAMPLE + "#enabled=true",
                "+" + SAMPLE + "#stackTrace=true",
                "+" + SAMPLE + "#throttle=" + PERIOD,
                "+" + COLLECTION + "#enabled=true",
                "+" + ColumnWork.NAME + "#enabled=true",
                "+" + ALLOCATION + "#enabled=true",
                "+" + ALLOCATION + "#stackTrace=true",
                "+" + ALLOCATION + "#throttle=" + ALLOCATIONS_A_SECOND);
        return new CpuProfile(pid, stages, scratch.directory().resolve("profile.jfr"));
    }

    /** Stops recording. */
    public Shares stop() throws IOException, InterruptedException {
        double total = ProcessUsage.of(pid).cpuSeconds() - usageBefore.cpuSeconds();
        Map<String, Double> seconds = new TreeMap<>();
        double sampled = total;
        for (ThreadTimes.Usage thread : ThreadTimes.of(pid).since(threadsBefore)) {
            String stage = stages.stageOfThread(thread.name()).orElse("");
            if (!stage.isEmpty()) {
                seconds.merge(stage, thread.cpuSeconds(), Double::sum);
                sampled -= thread.cpuSeconds();
            }
        }
        Jcmd.run(pid, "JFR.stop", "name=" + NAME, "filename=" + file);
        Map<String, Integer> samples = new TreeMap<>();
        Map<String, Double> allocated = new TreeMap<>();
        DoubleSummaryStatistics pauses = new DoubleSummaryStatistics();
        FlameGraph flames = new FlameGraph("CPU time of Java code");
        ColumnTimes columns = new ColumnTimes();
        read(samples, allocated, pauses, flames, columns);
        int count = samples.values().stream().mapToInt(Integer::intValue).sum();
        if (count == 0) {
            seconds.put(StageTable.OTHER, sampled);
        }
        for (Map.Entry<String, Integer> stage : samples.entrySet()) {
            seconds.merge(stage.getKey(), sampled * stage.getValue() / count, Double::sum);
        }
        Map<String, Double> columnSeconds = new TreeMap<>();
        for (Map.Entry<String, Integer> column : columns.samples().entrySet()) {
            columnSeconds.put(column.getKey(), sampled * column.getValue() / count);
        }
        return new Shares(
                total,
                count,
                largestFirst(seconds, total),
                largestFirst(columnSeconds, total),
                largestFirst(allocated, 1),
                pauses,
                flames);
    }

    private void read(
            Map<String, Integer> samples,
            Map<String, Double> allocated,
            DoubleSummaryStatistics pauses,
            FlameGraph flames,
            ColumnTimes columns)
            throws IOException {
        Set<Long> notYetSampled = new HashSet<>(threadsBefore.threads().keySet());
        try (RecordingFile recording = new RecordingFile(file)) {
            while (recording.hasMoreEvents()) {
                RecordedEvent event = recording.readEvent();
                switch (event.getEventType().getName()) {
                    case COLLECTION ->
                        pauses.accept(event.getDuration("sumOfPauses").toNanos() / 1e6);
                    case ColumnWork.NAME -> columns.work(event);
                    case SAMPLE -> {
                        if (event.getStackTrace() != null) {
                            List<String> frames = frames(event);
                            samples.merge(stages.stage(frames), 1, Integer::sum);
                            flames.add(frames);
                            columns.sample(event);
                        }
                    }
                    case ALLOCATION -> {
                        // A thread's first sample represents all its allocations since its start.
                        boolean ofBefore = event.getThread() != null
                                && notYetSampled.remove(event.getThread().getOSThreadId());
                        if (!ofBefore && event.getStackTrace() != null) {
                            allocated.merge(stages.stage(frames(event)), (double) event.getLong("weight"), Double::sum);
                        }
                    }
                    default -> {
                        // Belongs to the recording itself.
                    }
                }
            }
        }
        Files.delete(file);
    }

    private static List<String> frames(RecordedEvent event) {
        return event.getStackTrace().getFrames().stream()
                .map(frame -> HIDDEN_CLASS
                                .matcher(frame.getMethod().getType().getName())
                                .replaceFirst("")
                        + "."
                        + frame.getMethod().getName())
                .toList();
    }

    private static Map<String, Double> largestFirst(Map<String, Double> values, double unit) {
        Map<String, Double> sorted = new LinkedHashMap<>();
        values.entrySet().stream()
                .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                .forEach(stage -> sorted.put(stage.getKey(), stage.getValue() / unit));
        return sorted;
    }
}
