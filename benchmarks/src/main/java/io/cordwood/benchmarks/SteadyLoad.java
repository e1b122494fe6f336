package io.cordwood.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Rows at an even rate for some time, and how far the job is behind meanwhile. Stateless. */
final class SteadyLoad {
    private static final long SAMPLE_MILLIS = 2000;

    private SteadyLoad() {}

    /**
     * Ships the rows of a file again and again.
     *
     * @param rate rows a second
     */
    static LineProducer.Shipped run(
            RunningStack stack, Path ndjson, String stream, int rate, Duration time, Report report) throws Exception {
        String kafka = stack.awaitKafka();
        try (FlinkMonitor flink = FlinkMonitor.of(stack.flink())) {
            CompletableFuture<LineProducer.Shipped> shipping = CompletableFuture.supplyAsync(() -> {
                try {
                    return LineProducer.ship(ndjson, kafka, stream, new Pace(rate, time));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            List<Double> lags = new ArrayList<>();
            while (!shipping.isDone()) {
                Thread.sleep(SAMPLE_MILLIS);
                flink.pendingRecords().ifPresent(lags::add);
            }
            report.add("steady", "offered_rows_per_second", rate, "rows/s");
            reportLag("first half", lags.subList(0, lags.size() / 2), report);
            reportLag("second half", lags.subList(lags.size() / 2, lags.size()), report);
            for (String statistic : List.of("p50", "p99", "max")) {
                report.add("steady", "checkpoint_ms_" + statistic, flink.checkpointMillis(statistic), "ms");
            }
            return shipping.get();
        } catch (ExecutionException e) {
            throw new IOException("shipping failed: " + e.getCause().getMessage(), e);
        }
    }

    private static void reportLag(String half, List<Double> lags, Report report) {
        double[] sorted =
                lags.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        if (sorted.length > 0) {
            report.add("steady/" + half, "lag_rows_median", sorted[sorted.length / 2], "rows");
            report.add(
                    "steady/" + half,
                    "lag_rows_max",
                    Arrays.stream(sorted).max().orElse(0),
                    "rows");
        }
    }
}
