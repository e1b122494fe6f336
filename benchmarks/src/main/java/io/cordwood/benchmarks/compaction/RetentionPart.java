package io.cordwood.benchmarks.compaction;

import io.cordwood.benchmarks.data.RequestLogGenerator;
import io.cordwood.benchmarks.report.Phases;
import io.cordwood.benchmarks.report.Report;
import io.cordwood.benchmarks.run.HeapWatch;
import io.cordwood.benchmarks.run.ProcessUsage;
import io.cordwood.benchmarks.run.Scratch;
import io.cordwood.benchmarks.table.StreamTables;
import io.cordwood.benchmarks.table.TenantLogBlocks;
import io.cordwood.benchmarks.table.TenantTable;
import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.tenant.Quota;
import io.cordwood.catalog.tenant.Tenant;
import io.cordwood.compaction.CompactionCluster;
import io.cordwood.compaction.CompactionOptions;
import io.cordwood.compaction.plan.MergeSettings;
import io.cordwood.logblock.schema.LogBlockOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.iceberg.CatalogProperties;

/**
 * Cycles of the compaction job over many small tables with a month of rows, most of them with a retention of a week.
 * Measures the cost of a cycle that drops days, and of one without work. Checks that exactly the expired days and their
 * objects are gone after the first cycle. Not thread-safe.
 */
final class RetentionPart {
    private static final int TABLES = 2000;
    private static final int QUICK_TABLES = 40;
    private static final int DAYS = 30;
    private static final int RETENTION_DAYS = 7;
    /** Every n-th tenant keeps its rows forever. */
    private static final int KEEPING_STRIDE = 10;

    private static final int ROWS_A_DAY = 5;
    private static final long TARGET_BYTES = 128 << 20;
    private static final int CYCLES = 3;
    /** A cycle is over when the catalog has not been called for this long. */
    private static final Duration QUIET = Duration.ofSeconds(4);

    /** Long enough that a cycle is over when the next one begins. */
    private static final Duration INTERVAL = Duration.ofSeconds(90);

    private static final Duration QUICK_INTERVAL = Duration.ofSeconds(12);
    private static final long POLL_MILLIS = 100;
    private static final Pattern TENANT_AND_TIME = Pattern.compile("\"tenant_id\":\\d+,\"ts\":\\d+");

    private final Scratch scratch;
    private final CatalogClient client;
    private final URI catalogUri;
    private final CatalogCalls calls;
    private final Report report;
    private final Phases phases;
    private final LocalDate today = LocalDate.now(ZoneOffset.UTC);
    private int row;

    RetentionPart(Scratch scratch, URI catalogUri, CatalogClient client, Report report, Phases phases) {
        this.scratch = scratch;
        this.catalogUri = catalogUri;
        this.client = client;
        this.calls = new CatalogCalls(catalogUri);
        this.report = report;
        this.phases = phases;
    }

    /** Runs the part; a quick run has fewer tables and a shorter interval. */
    void run(boolean isQuick) throws Exception {
        int tables = isQuick ? QUICK_TABLES : TABLES;
        phases.begin("retention: flush");
        load(tables);
        for (int tenant = 1; tenant <= tables; tenant++) {
            if (isExpiring(tenant)) {
                client.putTenant(new Tenant(
                        Integer.toString(tenant), OptionalInt.of(RETENTION_DAYS), Map.of(), Quota.NONE, Map.of()));
            }
        }
        phases.begin("retention: read before");
        Map<String, TenantTable> kept = toBeKept();
        Map<String, RowSum> rows = rows(kept);
        long objects =
                kept.values().stream().mapToLong(table -> table.blocks().size()).sum();
        kept.clear();
        report.add("retention", "tables", tables, "tables");
        report.add("retention", "objects_before", (double) objects(), "objects");
        phases.begin("retention: cycles");
        try (HeapWatch heap = HeapWatch.start()) {
            cycles(isQuick ? QUICK_INTERVAL : INTERVAL, objects);
            report.add("retention", "heap_bytes_before", (double) heap.bytesBefore(), "bytes");
            report.add("retention", "peak_live_heap_bytes", (double) heap.peakLiveBytes(), "bytes");
        }
        phases.begin("retention: read after");
        Map<String, RowSum> rowsAfter = rows(view().tables());
        if (!rowsAfter.equals(rows)) {
            throw new IOException("The rows of these tenants are not those that should have been kept: "
                    + rows.keySet().stream()
                            .filter(tenant -> !rows.get(tenant).equals(rowsAfter.get(tenant)))
                            .toList());
        }
        report.add(
                "retention",
                "rows_checked",
                (double) rows.values().stream().mapToLong(RowSum::rows).sum(),
                "rows");
    }

    private static boolean isExpiring(int tenant) {
        return tenant % KEEPING_STRIDE != 0;
    }

    private void load(int tables) throws Exception {
        Path lines = scratch.directory().resolve("retention.ndjson");
        RequestLogGenerator.write(lines, tables * DAYS * ROWS_A_DAY, 1, 1);
        new FlushedTables(client, (tenant, chunk) -> {}).load(lines, 1, ofDays(tables));
        Files.delete(lines);
    }

    /** Rewrites the rows for consecutive days, with the same number for each tenant. */
    private UnaryOperator<String> ofDays(int tables) {
        return line -> {
            long day = today.toEpochDay() - DAYS + 1 + row / (tables * ROWS_A_DAY);
            int tenant = 1 + row % tables;
            long micros = TimeUnit.DAYS.toMicros(day) + row % (tables * ROWS_A_DAY);
            row++;
            return TENANT_AND_TIME
                    .matcher(line)
                    .replaceFirst(Matcher.quoteReplacement("\"tenant_id\":%d,\"ts\":%d".formatted(tenant, micros)));
        };
    }

    private StreamTables view() throws IOException {
        return StreamTables.of(client, TenantLogBlocks.STREAM, MergeSettings.ofTarget(TARGET_BYTES));
    }

    /** The tables without the LogBlocks of expired days. */
    private Map<String, TenantTable> toBeKept() throws IOException {
        long firstKept = TimeUnit.DAYS.toMicros(today.toEpochDay() - RETENTION_DAYS);
        Map<String, TenantTable> kept = new TreeMap<>(view().tables());
        kept.replaceAll((tenant, table) -> isExpiring(Integer.parseInt(tenant))
                ? new TenantTable(
                        table.schema(),
                        table.blocks().stream()
                                .filter(block -> block.time().fromMicros() >= firstKept)
                                .toList())
                : table);
        return kept;
    }

    private static Map<String, RowSum> rows(Map<String, TenantTable> tables) throws IOException {
        Map<String, RowSum> rows = new TreeMap<>();
        for (Map.Entry<String, TenantTable> table : tables.entrySet()) {
            rows.put(table.getKey(), RowSum.of(table.getValue()));
        }
        return rows;
    }

    private void cycles(Duration interval, long objectsToBeKept) throws Exception {
        CompactionOptions options = new CompactionOptions(
                catalogUri,
                Map.of(CatalogProperties.FILE_IO_IMPL, UnforcedFileIO.class.getName()),
                List.of(TenantLogBlocks.STREAM),
                Optional.empty(),
                false,
                interval,
                TARGET_BYTES,
                Long.MAX_VALUE,
                1,
                LogBlockOptions.DEFAULTS.zstdLevel(),
                true,
                Duration.ofHours(1),
                Duration.ofDays(1),
                OptionalInt.empty());
        Path work = Files.createDirectories(scratch.directory().resolve("retention-flink"));
        long before = calls.count();
        try (CompactionCluster job = CompactionCluster.start(options, "127.0.0.1", 0, work.toString())) {
            // The job answers once it runs
            job.dashboard();
            for (int cycle = 1; cycle <= CYCLES; cycle++) {
                before = cycle("retention/cycle%d".formatted(cycle), before, interval);
                if (cycle == 1) {
                    long objects = objects();
                    if (objects != objectsToBeKept) {
                        throw new IOException(
                                "%d objects with rows are there, not %d".formatted(objects, objectsToBeKept));
                    }
                    report.add("retention", "objects_after", (double) objects, "objects");
                    // Requests that did not come from the job
                    before = calls.count();
                }
            }
        }
    }

    /** Waits until the next cycle is over. @return calls until then */
    private long cycle(String name, long before, Duration interval) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + 2 * interval.toNanos();
        while (calls.count() == before) {
            if (System.nanoTime() > deadline) {
                throw new IOException("No cycle of the job began within " + interval.multipliedBy(2));
            }
            Thread.sleep(POLL_MILLIS);
        }
        long begun = System.nanoTime();
        double begunCpu = cpuSeconds();
        long lastCall = begun;
        double lastCpu = begunCpu;
        long count = calls.count();
        while (System.nanoTime() - lastCall < QUIET.toNanos()) {
            Thread.sleep(POLL_MILLIS);
            long now = calls.count();
            if (now != count) {
                count = now;
                lastCall = System.nanoTime();
                lastCpu = cpuSeconds();
            }
        }
        if (lastCall - begun > interval.toNanos()) {
            throw new IOException("A cycle takes longer than " + interval);
        }
        report.add(name, "wall_seconds", (lastCall - begun) / 1e9, "s");
        report.add(name, "cpu_seconds", lastCpu - begunCpu, "s");
        report.add(name, "catalog_calls", (double) count - before, "calls");
        return count;
    }

    /** Objects with rows, referenced by a table or not. */
    private long objects() throws IOException {
        try (Stream<Path> files = Files.walk(CompactionBench.warehouse(scratch))) {
            return files.filter(file -> file.toString().endsWith(".parquet")).count();
        }
    }

    private static double cpuSeconds() throws IOException {
        return ProcessUsage.ofThisProcess().cpuSeconds();
    }
}
