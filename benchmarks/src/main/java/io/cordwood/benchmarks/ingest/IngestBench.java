package io.cordwood.benchmarks.ingest;

import io.cordwood.benchmarks.data.DataSetOptions;
import io.cordwood.benchmarks.profile.CpuProfile;
import io.cordwood.benchmarks.profile.StageTable;
import io.cordwood.benchmarks.report.Phases;
import io.cordwood.benchmarks.report.Report;
import io.cordwood.benchmarks.run.ProcessUsage;
import io.cordwood.benchmarks.run.Scratch;
import io.cordwood.benchmarks.stack.FlinkMonitor;
import io.cordwood.benchmarks.stack.FlushRequests;
import io.cordwood.benchmarks.stack.LineProducer;
import io.cordwood.benchmarks.stack.RunningStack;
import io.cordwood.benchmarks.table.TenantLogBlocks;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
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
        description = "The whole pipeline on a real stack, from rows in Kafka to committed LogBlocks.",
        mixinStandardHelpOptions = true)
public final class IngestBench implements Callable<Integer> {
    private static final long TIMEOUT_SECONDS = 900;
    /** Even a slow machine commits more tenants per second than this. */
    private static final int TENANTS_PER_SECOND = 20;

    private static final int LONGEST_AGE_SECONDS = 86_400;
    /** Rows wait until all are shipped, so that each tenant is flushed once. */
    private static final int AGE_SECONDS = 3600;

    private static final int STEADY_AGE_SECONDS = 120;
    private static final int IDLE_AGE_SECONDS = 10;
    private static final int IDLE_TENANTS = 10_000;

    /** The measured parts, in their order. */
    enum Part {
        /** The rows through the whole pipeline. */
        PIPELINE,
        /** Loading the same rows into other engines. */
        PEERS,
        /** The job's heap for idle tenants. */
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
            description = "Flush rows at this age. Default: flush each tenant once, when all rows are shipped.")
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
            description = "Ship the rows repeatedly at this rate, for --minutes, and report the job's lag."
                    + " Rows are flushed at an age of two minutes, or at --max-age, and at the end.")
    void steadyRate(int rate) {
        steadyRate = atLeastOne("--steady", rate);
        maxAge = maxAge > 0 ? maxAge : STEADY_AGE_SECONDS;
    }

    private int steadyRate;

    @Option(
            names = "--minutes",
            paramLabel = "N",
            description = "Duration of --steady. Default: ${DEFAULT-VALUE}.",
            defaultValue = "10")
    void minutes(int time) {
        minutes = atLeastOne("--minutes", time);
    }

    private int minutes;

    @Option(
            names = "--passes",
            paramLabel = "N",
            description = "Ship the rows N times, each time until all are committed. Each pass has its own speed; the"
                    + " profile is of the last one, on a warm job; other figures are of all passes."
                    + " Default: ${DEFAULT-VALUE}.",
            defaultValue = "1")
    void passes(int times) {
        passes = atLeastOne("--passes", times);
    }

    private int passes;

    @Option(
            names = "--batch-rows",
            paramLabel = "N",
            description = "With an even number of --passes: each second pass ships batches of up to N rows of a tenant"
                    + " as one record, for a comparison side by side. Default: each row is a record.",
            defaultValue = "1")
    void batchRows(int count) {
        batchRows = atLeastOne("--batch-rows", count);
    }

    private int batchRows;

    @Option(
            names = "--parallelism",
            paramLabel = "N",
            description = "Subtasks of the job. Default: as many as the machine has cores, at most 4.")
    private Optional<Integer> parallelism = Optional.empty();

    private int atLeastOne(String option, int value) {
        if (value < 1) {
            throw new ParameterException(spec.commandLine(), "%s: %d is not 1 or more".formatted(option, value));
        }
        return value;
    }

    private final Report report = new Report("ingest", System.out);
    private final Phases phases = new Phases(report);

    @Override
    public Integer call() throws Exception {
        data.check();
        if (steadyRate > 0 && passes > 1) {
            throw new ParameterException(
                    spec.commandLine(), "--steady ships rows for --minutes; --passes is for a run without it");
        }
        if (batchRows > 1 && passes % 2 == 1) {
            throw new ParameterException(spec.commandLine(), "--batch-rows needs an even number of --passes");
        }
        if (parts.isEmpty()) {
            parts = data.isQuick() || steadyRate > 0
                    ? EnumSet.of(Part.PIPELINE)
                    : EnumSet.of(Part.PIPELINE, Part.PEERS);
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
        // Merging has its own benchmark.
        List<String> options = new ArrayList<>(List.of("--compaction", "interval=1d"));
        parallelism.ifPresent(subtasks -> options.addAll(List.of("--parallelism", subtasks.toString())));
        return RunningStack.start(
                scratch, TenantLogBlocks.STREAM, maxAge > 0 ? maxAge : defaultAge, options.toArray(String[]::new));
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
            IdleTenants.measure(stack, scratch, TenantLogBlocks.STREAM, IDLE_TENANTS, report);
        }
    }

    /** Ships the rows, waits until all are committed, and reports the cost. */
    private void measure(RunningStack stack, Path ndjson, Scratch scratch) throws Exception {
        List<IngestPass> done = new ArrayList<>();
        while (done.size() < passes - 1) {
            done.add(pass(stack, ndjson, done));
        }
        phases.begin("start the profile");
        CpuProfile profile = CpuProfile.start(stack.pid("flink"), StageTable.load("ingest.stages"), scratch);
        IngestPass last = pass(stack, ndjson, done);
        done.add(last);
        phases.begin("read the profile and sizes");
        CpuProfile.Shares shares = profile.stop();
        shares.report(report, last.rows() / 1e3, "thousand_rows");
        if (flameGraph.isPresent()) {
            shares.flames().write(flameGraph.get());
        }
        reportAll(stack, done.stream().reduce(IngestPass::and).orElseThrow());
    }

    /** Ships the rows and waits until they are committed; earlier rows already are. */
    private IngestPass pass(RunningStack stack, Path ndjson, List<IngestPass> before) throws Exception {
        boolean inBatches = batchRows > 1 && before.size() % 2 == 1;
        String name = passes == 1 ? "" : "/pass " + (before.size() + 1) + (inBatches ? "/batches" : "");
        long rowsBefore = before.stream().mapToLong(IngestPass::rows).sum();
        long flink = stack.pid("flink");
        phases.begin("ship rows" + name);
        ProcessUsage usageBefore = ProcessUsage.of(flink);
        long start = System.nanoTime();
        LineProducer.Shipped shipped = ship(stack, ndjson, inBatches ? batchRows : 1);
        report.add("shipping" + name, "rows_per_second", shipped.rows() / seconds(start), "rows/s");
        phases.begin("wait until all rows are committed" + name);
        // Otherwise the last rows would wait for their age while the job is idle.
        if (maxAge == 0 || steadyRate > 0) {
            FlushRequests.send(stack, TenantLogBlocks.STREAM, shipped.tenants());
        }
        long timeoutSeconds = TIMEOUT_SECONDS + shipped.tenants().size() / TENANTS_PER_SECOND;
        stack.awaitRows(TenantLogBlocks.STREAM, rowsBefore + shipped.rows(), timeoutSeconds);
        double seconds = seconds(start);
        ProcessUsage usage = ProcessUsage.of(flink);
        IngestPass pass = new IngestPass(
                shipped.rows(),
                shipped.bytes(),
                shipped.tenants().size(),
                seconds,
                usage.cpuSeconds() - usageBefore.cpuSeconds(),
                usage.peakRssBytes());
        if (passes > 1) {
            pass.reportSpeed(report, pass.tenants() + name);
        }
        return pass;
    }

    private void reportAll(RunningStack stack, IngestPass all) throws Exception {
        // Users compare runs by the number of tenants that share the rows.
        String tenants = Integer.toString(all.tenants());
        all.reportSpeed(report, tenants);
        report.add(tenants, "peak_rss_bytes", (double) all.peakRssBytes(), "bytes");
        StoredBytes stored = StoredBytes.of(stack.warehouse());
        TableFiles files = TableFiles.of(stack.warehouse());
        report.add(tenants, "commits_per_second", files.commits() / all.seconds(), "commits/s");
        report.add(tenants, "stored_per_raw", (double) stored.total() / all.bytes(), "ratio");
        report.add(tenants, "index_per_raw", (double) stored.index() / all.bytes(), "ratio");
        report.add(tenants, "log_blocks", files.logBlocks(), "files");
        report.add(tenants, "commits", files.commits(), "commits");
        try (FlinkMonitor monitor = FlinkMonitor.of(stack.flink())) {
            monitor.flushes()
                    .forEach((reason, flushes) -> report.add(tenants, "flushes_" + reason, flushes, "flushes"));
        }
        stored.columns()
                .forEach((column, bytes) ->
                        report.add("bytes/" + column, "stored_per_raw", (double) bytes / all.bytes(), "ratio"));
    }

    private LineProducer.Shipped ship(RunningStack stack, Path ndjson, int rowsOfRecord) throws Exception {
        return steadyRate == 0
                ? LineProducer.ship(ndjson, stack.awaitKafka(), TenantLogBlocks.STREAM, rowsOfRecord)
                : new SteadyLoad(stack, steadyRate, Duration.ofMinutes(minutes), report)
                        .run(ndjson, TenantLogBlocks.STREAM);
    }

    private static double seconds(long startNanos) {
        return (System.nanoTime() - startNanos) / 1e9;
    }
}
