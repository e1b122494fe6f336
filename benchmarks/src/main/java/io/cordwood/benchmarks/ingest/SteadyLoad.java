package io.cordwood.benchmarks.ingest;

import io.cordwood.benchmarks.report.Report;
import io.cordwood.benchmarks.run.Pace;
import io.cordwood.benchmarks.run.ProcessUsage;
import io.cordwood.benchmarks.stack.FlinkMonitor;
import io.cordwood.benchmarks.stack.LineProducer;
import io.cordwood.benchmarks.stack.RunningStack;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** Ships rows at an even rate for some time, and measures the job's lag and its cost. Not thread-safe. */
final class SteadyLoad {
    private static final long SAMPLE_MILLIS = 2000;
    private static final double SECONDS_PER_HOUR = 3600;

    private final RunningStack stack;
    private final int rate;
    private final Duration time;
    private final Report report;

    /** @param rate rows per second */
    SteadyLoad(RunningStack stack, int rate, Duration time, Report report) {
        this.stack = stack;
        this.rate = rate;
        this.time = time;
        this.report = report;
    }

    /** Ships the rows of a file repeatedly. */
    LineProducer.Shipped run(Path ndjson, String stream) throws Exception {
        String kafka = stack.awaitKafka();
        try (FlinkMonitor flink = FlinkMonitor.of(stack.flink())) {
            Pace pace = new Pace(rate, time);
            CompletableFuture<LineProducer.Shipped> shipping = CompletableFuture.supplyAsync(() -> {
                try {
                    return LineProducer.ship(ndjson, kafka, stream, pace);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            report.add("steady", "offered_rows_per_second", rate, "rows/s");
            Sample middle = half("first half", sample(pace), pace, shipping, flink);
            half("second half", middle, pace, shipping, flink);
            for (String statistic : List.of("p50", "p99", "max")) {
                report.add("steady", "checkpoint_ms_" + statistic, flink.checkpointMillis(statistic), "ms");
            }
            return shipping.get();
        } catch (ExecutionException e) {
            throw new IOException("shipping failed: " + e.getCause().getMessage(), e);
        }
    }

    /** Reports half of the time, which begins with the given sample; returns the last sample. */
    private Sample half(String half, Sample first, Pace pace, Future<?> shipping, FlinkMonitor flink) throws Exception {
        List<Double> lags = new ArrayList<>();
        while (!shipping.isDone() && System.nanoTime() - first.nanos() < time.toNanos() / 2) {
            Thread.sleep(SAMPLE_MILLIS);
            flink.pendingRecords().ifPresent(lags::add);
        }
        Sample last = sample(pace);
        String name = "steady/" + half;
        double seconds = (last.nanos() - first.nanos()) / 1e9;
        if (!lags.isEmpty()) {
            double read = last.shipped() - first.shipped() - (lags.getLast() - lags.getFirst());
            report.add(name, "rows_per_cpu_second", read / (last.cpuSeconds() - first.cpuSeconds()), "rows/s");
            lags.sort(null);
            report.add(name, "lag_rows_median", lags.get(lags.size() / 2), "rows");
            report.add(name, "lag_rows_max", lags.getLast(), "rows");
        }
        double hours = seconds / SECONDS_PER_HOUR;
        report.add(
                name,
                "commits_per_hour",
                (last.files().commits() - first.files().commits()) / hours,
                "commits/h");
        report.add(
                name,
                "log_blocks_per_hour",
                (last.files().logBlocks() - first.files().logBlocks()) / hours,
                "files/h");
        return last;
    }

    private record Sample(long nanos, double cpuSeconds, long shipped, TableFiles files) {}

    private Sample sample(Pace pace) throws IOException, InterruptedException {
        double cpuSeconds = ProcessUsage.of(stack.pid("flink")).cpuSeconds();
        return new Sample(System.nanoTime(), cpuSeconds, pace.rows(), TableFiles.of(stack.warehouse()));
    }
}
