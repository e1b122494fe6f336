package io.cordwood.benchmarks.lifetime;

import io.cordwood.benchmarks.compaction.MergeRun;
import io.cordwood.benchmarks.profile.CpuProfile;
import io.cordwood.benchmarks.profile.StageTable;
import io.cordwood.benchmarks.report.Phases;
import io.cordwood.benchmarks.report.Report;
import io.cordwood.benchmarks.run.ProcessUsage;
import io.cordwood.benchmarks.run.Scratch;
import io.cordwood.benchmarks.stack.LineProducer;
import io.cordwood.benchmarks.stack.RunningStack;
import io.cordwood.benchmarks.table.StreamTables;
import io.cordwood.benchmarks.table.TenantLogBlocks;
import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.compaction.job.Count;
import io.cordwood.compaction.plan.MergeSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Takes the rows of a case through a real stack, part by part; then all days are merged by the compaction job, in this
 * process. Not thread-safe.
 */
final class RowLife {
    private static final int FLUSH_SECONDS = 900;
    private static final String FLINK = "flink";
    private static final String CATALOG = "catalog";

    private final Report report;
    private final Phases phases;
    private final boolean isProfiled;
    private final boolean copiesText;

    /** The tables before and after their merges, and what that took. */
    record Lived(LifeCost cost, StreamTables unmerged, StreamTables merged) {}

    /** @param copiesText whether merges copy text where they can */
    RowLife(Report report, Phases phases, boolean isProfiled, boolean copiesText) {
        this.report = report;
        this.phases = phases;
        this.isProfiled = isProfiled;
        this.copiesText = copiesText;
    }

    /** Measures a case on a new stack, which runs until the scratch is closed. */
    Lived live(LifeCase lives, Scratch scratch) throws Exception {
        phases.begin(lives.name() + ": start the stack");
        // The merges are measured afterwards
        RunningStack stack = RunningStack.start(
                scratch, TenantLogBlocks.STREAM, lives.maxAgeSeconds(), "--compaction", "interval=1d");
        List<Path> parts = LineParts.cut(lives.ndjson(), lives.parts(), scratch.directory());
        stack.awaitReady();

        phases.begin(lives.name() + ": ship and flush");
        double jobBefore = cpu(stack, FLINK);
        double catalogBefore = cpu(stack, CATALOG);
        Optional<CpuProfile> profile = profile(stack.pid(FLINK), "ingest.stages", scratch);
        Optional<CpuProfile> ofCatalog = profile(stack.pid(CATALOG), "catalog.stages", scratch);
        long rows = 0;
        Set<String> tenants = new HashSet<>();
        long begun = System.nanoTime();
        for (int i = 0; i < parts.size(); i++) {
            sleepUntil(begun + TimeUnit.SECONDS.toNanos((long) i * lives.pauseSeconds()));
            LineProducer.Shipped shipped = LineProducer.ship(parts.get(i), stack.awaitKafka(), TenantLogBlocks.STREAM);
            rows += shipped.rows();
            tenants.addAll(shipped.tenants());
            if (lives.pauseSeconds() == 0) {
                stack.awaitRows(TenantLogBlocks.STREAM, rows, FLUSH_SECONDS);
            }
        }
        stack.awaitRows(TenantLogBlocks.STREAM, rows, FLUSH_SECONDS);
        double ingest = cpu(stack, FLINK) - jobBefore;
        double commits = cpu(stack, CATALOG) - catalogBefore;
        report(ofCatalog, lives.name() + "/catalog", rows);
        report(profile, lives.name() + "/ingest", rows);

        try (CatalogClient client = stack.catalogClient()) {
            StreamTables unmerged = tables(client);
            phases.begin(lives.name() + ": merge");
            catalogBefore = cpu(stack, CATALOG);
            double before = ProcessUsage.ofThisProcess().cpuSeconds();
            profile = profile(ProcessHandle.current().pid(), "compaction.stages", scratch);
            Map<Count, Long> counts = MergeRun.of(
                    URI.create(stack.catalog()),
                    Map.of(),
                    MergeRun.ZSTD_LEVEL,
                    copiesText,
                    OptionalInt.empty(),
                    scratch.directory().resolve("merges"));
            double merging = ProcessUsage.ofThisProcess().cpuSeconds() - before;
            double rewrites = cpu(stack, CATALOG) - catalogBefore;
            report(profile, lives.name() + "/merge", rows);
            StreamTables merged = tables(client);
            LifeCost cost = new LifeCost(
                    rows,
                    tenants.size(),
                    Files.size(lives.ndjson()),
                    ingest,
                    commits,
                    unmerged.files(),
                    merging,
                    rewrites,
                    counts.get(Count.MERGES),
                    merged.bytes());
            return new Lived(cost, unmerged, merged);
        }
    }

    private static void sleepUntil(long nanos) throws InterruptedException {
        long left = nanos - System.nanoTime();
        if (left > 0) {
            TimeUnit.NANOSECONDS.sleep(left);
        }
    }

    private static double cpu(RunningStack stack, String process) throws IOException {
        return ProcessUsage.of(stack.pid(process)).cpuSeconds();
    }

    private static StreamTables tables(CatalogClient client) throws IOException {
        return StreamTables.of(client, TenantLogBlocks.STREAM, MergeSettings.ofTarget(MergeRun.TARGET_BYTES));
    }

    private Optional<CpuProfile> profile(long pid, String stages, Scratch scratch)
            throws IOException, InterruptedException {
        return isProfiled ? Optional.of(CpuProfile.start(pid, StageTable.load(stages), scratch)) : Optional.empty();
    }

    private void report(Optional<CpuProfile> profile, String name, long rows) throws IOException, InterruptedException {
        if (profile.isPresent()) {
            profile.get().stop().report(report.under(name), rows / 1e3, "thousand_rows");
        }
    }
}
