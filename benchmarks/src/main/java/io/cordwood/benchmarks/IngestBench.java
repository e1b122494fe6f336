package io.cordwood.benchmarks;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The whole pipeline, from Kafka's acknowledgement to committed LogBlocks, on a real stack. */
@Command(
        name = "ingest",
        description = "The whole pipeline on a real stack: rows in Kafka until they are in committed LogBlocks.",
        mixinStandardHelpOptions = true)
final class IngestBench implements Callable<Integer> {
    static final String STREAM = "request_log";
    private static final int TIMEOUT_SECONDS = 900;

    @Mixin
    DataSetOptions data;

    @Option(
            names = "--max-age",
            paramLabel = "SECONDS",
            description = "Age at which rows are flushed (default: 8 with --quick, else 120).")
    int maxAge;

    private final Report report = new Report("ingest", System.out);

    @Override
    public Integer call() throws Exception {
        Path ndjson = data.file();
        try (RunningStack stack = RunningStack.start(STREAM, maxAge > 0 ? maxAge : data.quick ? 8 : 120)) {
            measure(stack, ndjson, report);
        }
        report.printTable();
        return 0;
    }

    /** Ships the rows, waits until all are committed, and reports what that took. */
    static void measure(RunningStack stack, Path ndjson, Report report) throws Exception {
        CpuProfile profile = CpuProfile.start(stack.pid("flink"));
        ProcessUsage before = stack.usage("flink");
        long start = System.nanoTime();
        LineProducer.Shipped shipped = LineProducer.ship(ndjson, stack.kafka(), STREAM);
        report.add("shipping", "rows_per_second", shipped.rows() / seconds(start), "rows/s");
        stack.awaitRows(STREAM, shipped.rows(), TIMEOUT_SECONDS);
        double seconds = seconds(start);
        ProcessUsage after = stack.usage("flink");
        profile.stop().forEach((stage, share) -> report.add("profile/" + stage, "cpu_share", share, "ratio"));
        double cpu = after.cpuSeconds() - before.cpuSeconds();
        report.add("pipeline", "rows_per_second", shipped.rows() / seconds, "rows/s");
        report.add("pipeline", "rows_per_cpu_second", shipped.rows() / cpu, "rows/s");
        report.add("pipeline", "peak_rss_bytes", (double) after.peakRssBytes(), "bytes");
        report.add(
                "pipeline",
                "stored_per_raw",
                (double) Directories.size(stack.warehouse(), ".parquet") / shipped.bytes(),
                "ratio");
        StoredIndexes indexes = StoredIndexes.of(stack.warehouse());
        report.add("pipeline", "index_per_raw", (double) indexes.bytes() / shipped.bytes(), "ratio");
        report.add("pipeline", "log_blocks", indexes.logBlocks(), "files");
    }

    private static double seconds(long startNanos) {
        return (System.nanoTime() - startNanos) / 1e9;
    }
}
