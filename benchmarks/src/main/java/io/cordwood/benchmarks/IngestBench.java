package io.cordwood.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The whole pipeline, from Kafka's acknowledgement to committed LogBlocks, on a real stack. */
@Command(
        name = "ingest",
        description = "The whole pipeline on a real stack: rows in Kafka until they are in committed LogBlocks.",
        mixinStandardHelpOptions = true)
final class IngestBench implements Callable<Integer> {
    static final String STREAM = "request_log";
    private static final long TIMEOUT_SECONDS = 900;
    /** A slow machine commits more than this. */
    private static final int TENANTS_PER_SECOND = 20;

    private static final int LONGEST_AGE_SECONDS = 86_400;
    /** Rows wait until all are shipped, so that each tenant is flushed once. */
    private static final int AGE_SECONDS = 3600;

    private static final int STEADY_AGE_SECONDS = 120;
    private static final int IDLE_AGE_SECONDS = 10;
    private static final int IDLE_TENANTS = 10_000;

    /** What is measured, one after another. */
    enum Part {
        /** The rows through the whole pipeline. */
        PIPELINE,
        /** The same rows loaded by others. */
        PEERS,
        /** What the job holds of tenants that send nothing. */
        IDLE
    }

    @Spec
    private CommandSpec spec;

    @Mixin
    DataSetOptions data;

    @Option(
            names = "--parts",
            split = ",",
            paramLabel = "PART",
            description =
                    "Which of ${COMPLETION-CANDIDATES}. Default: PIPELINE,PEERS; with --quick or --steady PIPELINE.")
    Set<Part> parts = EnumSet.noneOf(Part.class);

    @Option(
            names = "--max-age",
            paramLabel = "SECONDS",
            description = "Flush rows of this age. Default: flush each tenant once, when all rows are shipped.")
    void maxAge(int seconds) {
        if (seconds < 1 || seconds > LONGEST_AGE_SECONDS) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--max-age: %d is not between 1 and %d".formatted(seconds, LONGEST_AGE_SECONDS));
        }
        maxAge = seconds;
    }

    private int maxAge;

    @Option(
            names = "--flame-graph",
            paramLabel = "FILE",
            description = "Write the profile of the job's Java code as a flame graph, an SVG.")
    private Optional<Path> flameGraph = Optional.empty();

    @Option(
            names = "--steady",
            paramLabel = "ROWS_A_SECOND",
            description =
                    "Ship the rows again and again at this rate, for --minutes, and report how far the job is behind."
                            + " Rows are flushed at an age of two minutes, unless --max-age says another, and at the end.")
    void steadyRate(int rate) {
        if (rate < 1) {
            throw new ParameterException(spec.commandLine(), "--steady: %d is not a rate".formatted(rate));
        }
        steadyRate = rate;
        maxAge = maxAge > 0 ? maxAge : STEADY_AGE_SECONDS;
    }

    private int steadyRate;

    @Option(
            names = "--minutes",
            paramLabel = "N",
            description = "How long --steady ships. Default: ${DEFAULT-VALUE}.",
            defaultValue = "10")
    private int minutes;

    @Option(
            names = "--passes",
            paramLabel = "N",
            description = "Ship the rows N times, each time until all are committed: what a job takes that has run for"
                    + " a while. Default: ${DEFAULT-VALUE}.",
            defaultValue = "1")
    void passes(int times) {
        if (times < 1) {
            throw new ParameterException(spec.commandLine(), "--passes: %d is not a number of passes".formatted(times));
        }
        passes = times;
    }

    private int passes;

    @Option(
            names = "--parallelism",
            paramLabel = "N",
            description = "Subtasks of the job. Default: as many as the machine has cores, at most 4.")
    private Optional<Integer> parallelism = Optional.empty();

    private final Report report = new Report("ingest", System.out);
    private final Phases phases = new Phases(report);

    @Override
    public Integer call() throws Exception {
        data.check();
        if (parts.isEmpty()) {
            parts = data.quick || steadyRate > 0 ? EnumSet.of(Part.PIPELINE) : EnumSet.of(Part.PIPELINE, Part.PEERS);
        }
        if (parts.contains(Part.PIPELINE)) {
            pipeline();
        }
        if (parts.contains(Part.PEERS)) {
            peers();
        }
        if (parts.contains(Part.IDLE)) {
            idle();
        }
        phases.end();
        report.printTable();
        return 0;
    }

    private RunningStack startStack(Scratch scratch, int defaultAge) throws IOException {
        // Merging is measured by itself.
        List<String> options = new ArrayList<>(List.of("--compaction", "interval=1d"));
        parallelism.ifPresent(subtasks -> options.addAll(List.of("--parallelism", subtasks.toString())));
        return RunningStack.start(scratch, STREAM, maxAge > 0 ? maxAge : defaultAge, options.toArray(String[]::new));
    }

    private void pipeline() throws Exception {
        phases.begin("start the stack, prepare rows");
        try (Scratch scratch = Scratch.create()) {
            RunningStack stack = startStack(scratch, AGE_SECONDS);
            Path ndjson = data.file(scratch);
            stack.awaitReady();
            measure(stack, ndjson, scratch);
            phases.begin("stop the stack");
        }
    }

    private void peers() throws Exception {
        phases.begin("prepare rows of peers");
        try (Scratch scratch = Scratch.create()) {
            new IngestPeers(data.file(scratch), report, phases).measure(scratch);
        }
    }

    private void idle() throws Exception {
        phases.begin("idle tenants");
        try (Scratch scratch = Scratch.create()) {
            RunningStack stack = startStack(scratch, IDLE_AGE_SECONDS);
            stack.awaitReady();
            IdleTenants.measure(stack, scratch, STREAM, IDLE_TENANTS, report);
        }
    }

    /** Ships the rows, waits until all are committed, and reports what that took. */
    private void measure(RunningStack stack, Path ndjson, Scratch scratch) throws Exception {
        phases.begin("start the profile");
        CpuProfile profile = CpuProfile.start(stack.pid("flink"), StageTable.load("ingest.stages"), scratch);
        long rows = 0;
        long bytes = 0;
        double seconds = 0;
        String tenants = "";
        for (int pass = 1; pass <= passes; pass++) {
            Pass taken = pass(stack, ndjson, rows);
            rows += taken.shipped().rows();
            bytes += taken.shipped().bytes();
            seconds += taken.seconds();
            // As users compare runs: by how many tenants share the rows.
            tenants = Integer.toString(taken.shipped().tenants().size());
            taken.report(report, pass == 1 ? tenants : tenants + "/pass " + pass);
        }
        phases.begin("read the profile and sizes");
        CpuProfile.Shares shares = profile.stop();
        shares.report(report, rows / 1e3, "thousand_rows");
        if (flameGraph.isPresent()) {
            shares.flames().write(flameGraph.get());
        }
        ProcessUsage usage = ProcessUsage.of(stack.pid("flink"));
        report.add(tenants, "peak_rss_bytes", (double) usage.peakRssBytes(), "bytes");
        StoredBytes stored = StoredBytes.of(stack.warehouse());
        TableFiles files = TableFiles.of(stack.warehouse());
        report.add(tenants, "commits_per_second", files.commits() / seconds, "commits/s");
        report.add(tenants, "stored_per_raw", (double) stored.total() / bytes, "ratio");
        report.add(tenants, "index_per_raw", (double) stored.index() / bytes, "ratio");
        report.add(tenants, "log_blocks", files.logBlocks(), "files");
        report.add(tenants, "commits", files.commits(), "commits");
        try (FlinkMonitor monitor = FlinkMonitor.of(stack.flink())) {
            for (Map.Entry<String, Double> each : monitor.flushes().entrySet()) {
                report.add(tenants, "flushes_" + each.getKey(), each.getValue(), "flushes");
            }
        }
        for (Map.Entry<String, Long> each : stored.columns().entrySet()) {
            report.add("bytes/" + each.getKey(), "stored_per_raw", (double) each.getValue() / bytes, "ratio");
        }
    }

    /** What one shipment of all rows took, from the first row shipped to the last committed. */
    private record Pass(LineProducer.Shipped shipped, double seconds, double cpuSeconds) {
        void report(Report report, String name) {
            report.add(name, "rows_per_second", shipped.rows() / seconds, "rows/s");
            report.add(name, "rows_per_cpu_second", shipped.rows() / cpuSeconds, "rows/s");
        }
    }

    /** @param rowsBefore rows that are committed already */
    private Pass pass(RunningStack stack, Path ndjson, long rowsBefore) throws Exception {
        phases.begin("ship rows");
        ProcessUsage before = ProcessUsage.of(stack.pid("flink"));
        long start = System.nanoTime();
        LineProducer.Shipped shipped = ship(stack, ndjson);
        report.add("shipping", "rows_per_second", shipped.rows() / seconds(start), "rows/s");
        phases.begin("wait until all rows are committed");
        // What came last would otherwise wait for its age, and the job for nothing.
        if (maxAge == 0 || steadyRate > 0) {
            FlushRequests.send(stack.awaitKafka(), stack.catalog(), STREAM, shipped.tenants());
        }
        long timeoutSeconds = TIMEOUT_SECONDS + shipped.tenants().size() / TENANTS_PER_SECOND;
        stack.awaitRows(STREAM, rowsBefore + shipped.rows(), timeoutSeconds);
        double seconds = seconds(start);
        ProcessUsage after = ProcessUsage.of(stack.pid("flink"));
        return new Pass(shipped, seconds, after.cpuSeconds() - before.cpuSeconds());
    }

    private LineProducer.Shipped ship(RunningStack stack, Path ndjson) throws Exception {
        return steadyRate == 0
                ? LineProducer.ship(ndjson, stack.awaitKafka(), STREAM)
                : new SteadyLoad(stack, steadyRate, Duration.ofMinutes(minutes), report).run(ndjson, STREAM);
    }

    private static double seconds(long startNanos) {
        return (System.nanoTime() - startNanos) / 1e9;
    }
}
