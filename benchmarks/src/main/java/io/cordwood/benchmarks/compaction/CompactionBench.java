package io.cordwood.benchmarks.compaction;

import io.cordwood.benchmarks.data.BenchQuery;
import io.cordwood.benchmarks.data.DataSetOptions;
import io.cordwood.benchmarks.peer.EnginePeer;
import io.cordwood.benchmarks.peer.Peer;
import io.cordwood.benchmarks.peer.QueryTimes;
import io.cordwood.benchmarks.peer.RepeatOption;
import io.cordwood.benchmarks.profile.CpuProfile;
import io.cordwood.benchmarks.profile.StageTable;
import io.cordwood.benchmarks.report.Phases;
import io.cordwood.benchmarks.report.Report;
import io.cordwood.benchmarks.run.HeapWatch;
import io.cordwood.benchmarks.run.ProcessUsage;
import io.cordwood.benchmarks.run.Scratch;
import io.cordwood.benchmarks.table.StreamTables;
import io.cordwood.benchmarks.table.TenantLogBlocks;
import io.cordwood.benchmarks.table.TenantTable;
import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.server.CatalogServer;
import io.cordwood.catalog.server.CatalogServerOptions;
import io.cordwood.compaction.job.Count;
import io.cordwood.compaction.plan.MergeSettings;
import io.cordwood.logblock.schema.LogBlockOptions;
import io.cordwood.record.buffer.RowBuffer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.apache.iceberg.CatalogProperties;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The cost and gain of merging LogBlocks: the real job on real tables, a year of planning without data, metadata after
 * very many commits, and the time until deleted rows are gone.
 */
@Command(
        name = "compaction",
        description =
                "The compaction job on tables of many flushes, compared with one bulk load; a year of its planning; metadata"
                        + " after 10,000 commits; and the time until deleted rows are gone.",
        mixinStandardHelpOptions = true)
public final class CompactionBench implements Callable<Integer> {
    private static final Map<String, String> FILE_IO =
            Map.of(CatalogProperties.FILE_IO_IMPL, UnforcedFileIO.class.getName());
    private static final int FLUSHES = 60;
    private static final int QUICK_FLUSHES = 12;

    private static final int RUNS = 9;
    private static final int QUICK_RUNS = 3;
    private static final int WARM_UPS = 5;
    private static final int QUICK_WARM_UPS = 2;
    private static final double LEAST_MILLIS = 0.05;
    private static final String RATIO = "query_ratio_geomean";
    /** Number of tenants with a comparison of all rows, besides the queried tenants. */
    private static final int CHECKED_TENANTS = 10;

    private static final int YEAR = 365;
    private static final int QUICK_DAYS = 10;
    private static final int FIRST_DAY = 20_000;
    private static final long LARGE_BYTES_PER_DAY = 10_000_000_000L;
    private static final int SMALL_TENANTS = 1000;
    /** All days are planned alike, so a month of many tenants is enough. */
    private static final int SMALL_DAYS = 30;

    private static final int QUICK_SMALL_TENANTS = 100;
    private static final int CYCLE_MINUTES = 5;
    private static final int COMMITS = 10_000;
    private static final int QUICK_COMMITS = 100;

    /** The measured parts, in their order. */
    enum Part {
        /** The job on rows of the set. */
        REQUEST_LOG,
        /** The planner alone, and metadata alone. */
        YEAR,
        /** Metadata of a table after very many commits. */
        COMMITS,
        /** Retention, and cycles over many tables. */
        RETENTION,
        /** Deleting a person's rows until their bytes are gone. */
        DELETION
    }

    @Mixin
    DataSetOptions data;

    @Mixin
    RepeatOption repeat;

    @Option(
            names = "--flushes",
            paramLabel = "N",
            description = "Number of consecutive flushes for the rows. Default: 60, with --quick 12.")
    Optional<Integer> flushes = Optional.empty();

    @Option(
            names = "--zstd-level",
            paramLabel = "N",
            description = "Compression level of merged LogBlocks, 1 to 22. Default: 9.")
    int zstdLevel = MergeRun.ZSTD_LEVEL;

    @Option(names = "--dense", description = "Then also gives the LogBlocks of the part REQUEST_LOG the dense layout.")
    boolean dense;

    @Option(
            names = "--parts",
            split = ",",
            paramLabel = "PART",
            description =
                    "Which of ${COMPLETION-CANDIDATES}. Default: all; with --quick not DELETION, which takes minutes.")
    Set<Part> parts = EnumSet.noneOf(Part.class);

    @Spec
    private CommandSpec spec;

    private final Report report = new Report("compaction", System.out);
    private final Phases phases = new Phases(report);

    /** The work of the job and the usage of its process. */
    private record Compacted(Map<Count, Long> counts, double cpuSeconds, double wallSeconds) {}

    @Override
    public Integer call() throws Exception {
        data.check();
        if (parts.isEmpty()) {
            parts.addAll(data.isQuick() ? EnumSet.complementOf(EnumSet.of(Part.DELETION)) : EnumSet.allOf(Part.class));
        }
        require(flushes.orElse(1) >= 1, "--flushes: %d is not a number of flushes", flushes.orElse(1));
        require(zstdLevel >= 1 && zstdLevel <= 22, "--zstd-level: %d is not between 1 and 22", zstdLevel);
        if (dense && !parts.contains(Part.REQUEST_LOG)) {
            throw new ParameterException(
                    spec.commandLine(), "--dense is for the part REQUEST_LOG, which is not among the --parts");
        }
        for (Part part : parts) {
            run(part);
        }
        phases.end();
        report.printTable();
        return 0;
    }

    /** Runs a part with its own catalog, because parts use the same table names. */
    private void run(Part part) throws Exception {
        try (Scratch scratch = Scratch.create()) {
            Path directory = scratch.directory();
            CatalogServer server = CatalogServer.start(new CatalogServerOptions(
                    "127.0.0.1",
                    0,
                    "jdbc:sqlite:" + directory.resolve("catalog.db"),
                    warehouse(scratch).toString(),
                    FILE_IO));
            scratch.start(() -> server::close);
            CatalogClient client = scratch.start(() -> CatalogClient.connect(server.uri(), FILE_IO));
            switch (part) {
                case REQUEST_LOG -> requestLog(scratch, server, client);
                case YEAR -> year(client);
                case COMMITS -> {
                    phases.begin("commits");
                    CommitsPart.run(client, report, data.isQuick() ? QUICK_COMMITS : COMMITS);
                }
                case RETENTION -> new RetentionPart(scratch, server.uri(), client, report, phases).run(data.isQuick());
                case DELETION ->
                    new DeletionPart(scratch, server.uri(), client, report, phases)
                            .run(data.file(scratch), flushes.orElse(data.isQuick() ? QUICK_FLUSHES : FLUSHES));
            }
        }
    }

    /** Directory of the objects of a part's catalog. */
    static Path warehouse(Scratch scratch) {
        return scratch.directory().resolve("warehouse");
    }

    private void require(boolean condition, String message, int value) {
        if (!condition) {
            throw new ParameterException(spec.commandLine(), message.formatted(value));
        }
    }

    private void requestLog(Scratch scratch, CatalogServer server, CatalogClient client) throws Exception {
        phases.begin("prepare rows and answers");
        Path ndjson = data.file(scratch);
        List<BenchQuery> queries = data.queries(scratch);
        phases.begin("flush");
        Map<String, List<byte[]>> chunks = new TreeMap<>();
        FlushedTables.Loaded loaded = new FlushedTables(
                        client,
                        (tenant, chunk) -> chunks.computeIfAbsent(tenant, id -> new ArrayList<>())
                                .add(chunk))
                .load(ndjson, flushes.orElse(data.isQuick() ? QUICK_FLUSHES : FLUSHES));
        report.add("request_log", "rows", (double) loaded.rows(), "rows");
        Map<String, Map<String, TenantTable>> arrangements = new LinkedHashMap<>();
        Map<String, Map<String, TenantTable>> bulks = new LinkedHashMap<>();
        for (int level : new TreeSet<>(List.of(LogBlockOptions.DEFAULTS.zstdLevel(), zstdLevel))) {
            String name = level == zstdLevel ? "bulk" : "bulk_zstd" + level;
            bulks.put(name, bulk(scratch.directory(), name, level, chunks, loaded));
        }
        chunks.clear();

        phases.begin("check before");
        StreamTables before = view(client, "before", loaded);
        Set<String> checked = checked(queries, before);
        Map<String, RowSum> rowsBefore = rows(before, checked);
        phases.begin("compact");
        Compacted compacted = compact(scratch, server, report, "request_log", OptionalInt.empty());
        phases.begin("check after");
        StreamTables after = view(client, "after", loaded);
        check(rowsBefore, rows(after, checked));
        reportCompaction(compacted, before, after, loaded);
        if (dense) {
            phases.begin("dense");
            arrangements.put("dense", dense(scratch, server, client, loaded, rowsBefore));
        }

        phases.begin("queries");
        // The replaced LogBlocks still exist, so all can be queried alternately
        arrangements.put("before", before.tables());
        arrangements.put("after", after.tables());
        arrangements.putAll(bulks);
        ask(queries, arrangements);
    }

    /** The tables after their days got the dense layout. */
    private Map<String, TenantTable> dense(
            Scratch scratch,
            CatalogServer server,
            CatalogClient client,
            FlushedTables.Loaded loaded,
            Map<String, RowSum> rowsBefore)
            throws Exception {
        Compacted run = compact(scratch, server, report.under("dense"), "dense", OptionalInt.of(1));
        StreamTables now = view(client, "dense", loaded);
        check(rowsBefore, rows(now, rowsBefore.keySet()));
        report.add("dense", "merges", run.counts().get(Count.MERGES), "merges");
        report.add("dense", "rows", (double) run.counts().get(Count.ROWS), "rows");
        report.add("dense", "cpu_seconds", run.cpuSeconds(), "s");
        return now.tables();
    }

    private Map<String, TenantTable> bulk(
            Path directory, String name, int level, Map<String, List<byte[]>> chunks, FlushedTables.Loaded loaded)
            throws IOException {
        phases.begin(name);
        LogBlockOptions options = LogBlockOptions.DEFAULTS.withZstdLevel(level);
        // Warms up the JIT before the first level is measured, too
        String first = chunks.keySet().iterator().next();
        bulk(directory.resolve(name), first, chunks.get(first), options);
        double begun = cpuSeconds();
        TenantLogBlocks.Written written = TenantLogBlocks.Written.NOTHING;
        for (Map.Entry<String, List<byte[]>> tenant : chunks.entrySet()) {
            written = written.plus(bulk(directory.resolve(name), tenant.getKey(), tenant.getValue(), options));
        }
        report.add(name, "cpu_seconds", cpuSeconds() - begun, "s");
        report.add(name, "stored_per_raw", (double) written.bytes() / loaded.rawBytes(), "ratio");
        return written.tables();
    }

    private static TenantLogBlocks.Written bulk(
            Path directory, String tenant, List<byte[]> chunks, LogBlockOptions options) throws IOException {
        return TenantLogBlocks.write(
                directory, tenant, chunks.stream().map(RowBuffer::fromChunk).toList(), options);
    }

    private StreamTables view(CatalogClient client, String name, FlushedTables.Loaded loaded) throws IOException {
        StreamTables view =
                StreamTables.of(client, TenantLogBlocks.STREAM, MergeSettings.ofTarget(MergeRun.TARGET_BYTES));
        report.add("request_log", "files_" + name, (double) view.files(), "files");
        report.add(name, "stored_per_raw", (double) view.bytes() / loaded.rawBytes(), "ratio");
        return view;
    }

    /** The queried tenants, and some others. */
    private static Set<String> checked(List<BenchQuery> queries, StreamTables view) {
        Set<String> checked = new TreeSet<>();
        queries.forEach(query -> checked.add(query.tenant()));
        List<String> all = List.copyOf(view.tables().keySet());
        Random random = new Random(42);
        for (int i = 0; i < CHECKED_TENANTS; i++) {
            checked.add(all.get(random.nextInt(all.size())));
        }
        return checked;
    }

    private static Map<String, RowSum> rows(StreamTables view, Set<String> tenants) throws IOException {
        Map<String, RowSum> rows = new TreeMap<>();
        for (String tenant : tenants) {
            rows.put(tenant, RowSum.of(view.tables().get(tenant)));
        }
        return rows;
    }

    private void check(Map<String, RowSum> before, Map<String, RowSum> after) throws IOException {
        for (Map.Entry<String, RowSum> tenant : before.entrySet()) {
            RowSum now = after.get(tenant.getKey());
            if (!tenant.getValue().equals(now)) {
                throw new IOException("The rows of tenant %s are not the same: %s before, %s after"
                        .formatted(tenant.getKey(), tenant.getValue(), now));
            }
        }
        report.add("request_log", "tenants_checked", before.size(), "tenants");
        report.add(
                "request_log",
                "rows_checked",
                (double) before.values().stream().mapToLong(RowSum::rows).sum(),
                "rows");
    }

    /**
     * Runs the job.
     *
     * @param profiles receives its profile
     * @param name case of its other figures
     */
    private Compacted compact(
            Scratch scratch, CatalogServer server, Report profiles, String name, OptionalInt denseAfterDays)
            throws Exception {
        Path work = scratch.directory().resolve("flink");
        Optional<CpuProfile> profile = data.isQuick() ? Optional.empty() : Optional.of(startProfile(scratch));
        try (HeapWatch heap = HeapWatch.start()) {
            double begunCpu = cpuSeconds();
            long begun = System.nanoTime();
            Map<Count, Long> counts = MergeRun.of(server.uri(), FILE_IO, zstdLevel, true, denseAfterDays, work);
            Compacted compacted = new Compacted(counts, cpuSeconds() - begunCpu, (System.nanoTime() - begun) / 1e9);
            report.add(name, "peak_heap_bytes", (double) heap.peakBytes(), "bytes");
            report.add(name, "peak_live_heap_bytes", (double) heap.peakLiveBytes(), "bytes");
            if (profile.isPresent()) {
                profile.get().stop().report(profiles, counts.get(Count.ROWS) / 1e3, "thousand_rows");
            }
            return compacted;
        }
    }

    private static CpuProfile startProfile(Scratch scratch) throws IOException, InterruptedException {
        return CpuProfile.start(ProcessHandle.current().pid(), StageTable.load("compaction.stages"), scratch);
    }

    private void reportCompaction(
            Compacted compacted, StreamTables before, StreamTables after, FlushedTables.Loaded loaded)
            throws IOException {
        Map<Count, Long> counts = compacted.counts();
        double cpu = compacted.cpuSeconds();
        report.add("request_log", "merges", counts.get(Count.MERGES), "merges");
        report.add("request_log", "files_ideal", (double) after.ideal(), "files");
        report.add(
                "request_log",
                "write_amplification",
                (double) (before.bytes() + counts.get(Count.BYTES_WRITTEN)) / before.bytes(),
                "ratio");
        report.add("request_log", "cpu_seconds", cpu, "s");
        report.add("request_log", "wall_seconds", compacted.wallSeconds(), "s");
        report.add("request_log", "mb_per_cpu_second", counts.get(Count.BYTES_READ) / 1e6 / cpu, "MB/s");
        report.add("request_log", "raw_mb_per_cpu_second", loaded.rawBytes() / 1e6 / cpu, "MB/s");
        report.add("request_log", "rows_per_cpu_second", counts.get(Count.ROWS) / cpu, "rows/s");
    }

    private void ask(List<BenchQuery> queries, Map<String, Map<String, TenantTable>> arrangements)
            throws IOException, SQLException {
        Map<String, Peer> peers = new LinkedHashMap<>();
        try {
            // Decoding is part of the cost of a layout
            arrangements.forEach((name, tables) -> peers.put(name, EnginePeer.decoding(name, tables)));
            QueryTimes times = new QueryTimes(report, queries, peers);
            times.measure(data.isQuick() ? QUICK_WARM_UPS : WARM_UPS, repeat.runs(data.isQuick() ? QUICK_RUNS : RUNS));
            times.ratio("request_log", RATIO, "after", "before", LEAST_MILLIS);
            times.ratio("vs_bulk", RATIO, "after", "bulk", LEAST_MILLIS);
            if (dense) {
                times.ratio("dense", RATIO, "dense", "after", LEAST_MILLIS);
            }
            for (String name : peers.keySet()) {
                if (name.startsWith("bulk_")) {
                    times.ratio("bulk_vs_" + name, RATIO, "bulk", name, LEAST_MILLIS);
                }
                report.add(name, "logblocks_opened", ((EnginePeer) peers.get(name)).opened(), "files");
            }
            report.add("request_log", "answers_right", queries.size(), "queries");
            report.add("request_log", "answers_total", queries.size(), "queries");
        } finally {
            for (Peer peer : peers.values()) {
                peer.close();
            }
        }
    }

    private void year(CatalogClient client) throws Exception {
        MergeSettings settings = MergeSettings.ofTarget(MergeRun.TARGET_BYTES);
        int days = data.isQuick() ? QUICK_DAYS : YEAR;
        phases.begin("year: plan one large tenant");
        MergeYear large = new MergeYear(settings);
        for (int day = 0; day < days; day++) {
            large.day(FIRST_DAY + day, new MergeYear.Traffic(LARGE_BYTES_PER_DAY, 8, 1, CYCLE_MINUTES));
        }
        large.report(report, "year/large", 1);

        phases.begin("year: plan many small tenants");
        MergeYear small = new MergeYear(settings);
        int tenants = data.isQuick() ? QUICK_SMALL_TENANTS : SMALL_TENANTS;
        Random random = new Random(42);
        for (int tenant = 0; tenant < tenants; tenant++) {
            MergeYear.Traffic traffic = new MergeYear.Traffic(random.nextInt(100_000, 900_000), 1, 60, CYCLE_MINUTES);
            for (int day = 0; day < Math.min(days, SMALL_DAYS); day++) {
                small.day(FIRST_DAY + day, traffic);
            }
        }
        small.report(report, "year/small", tenants);

        phases.begin("year: metadata");
        int finalFiles = settings.ideal(LARGE_BYTES_PER_DAY);
        MetadataYear.measure(report, client, "large", days, finalFiles, MergeRun.TARGET_BYTES, 0);
        MetadataYear.measure(report, client, "small", days, 1, 500_000, 10_000);
    }

    private static double cpuSeconds() throws IOException {
        return ProcessUsage.ofThisProcess().cpuSeconds();
    }
}
