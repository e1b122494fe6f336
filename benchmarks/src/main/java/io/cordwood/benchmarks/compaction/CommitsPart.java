package io.cordwood.benchmarks.compaction;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.benchmarks.data.RequestLogGenerator;
import io.cordwood.benchmarks.report.Percentiles;
import io.cordwood.benchmarks.report.Report;
import io.cordwood.benchmarks.table.TenantLogBlocks;
import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.commit.CommitOutcome;
import io.cordwood.catalog.commit.Flush;
import io.cordwood.catalog.commit.LogBlockCommitter;
import io.cordwood.catalog.io.LocalFileIO;
import io.cordwood.catalog.maintenance.OrphanCleaner;
import io.cordwood.catalog.maintenance.Retention;
import io.cordwood.catalog.maintenance.SnapshotExpiry;
import io.cordwood.catalog.maintenance.TableMaintenance;
import io.cordwood.catalog.protocol.LoadedTable;
import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.catalog.table.LogBlockFile;
import io.cordwood.catalog.table.LogBlockNames;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.tenant.TenantNames;
import io.cordwood.catalog.usage.AppendRun;
import io.cordwood.catalog.usage.UsageJournal;
import io.cordwood.compaction.merge.DayMerger;
import io.cordwood.compaction.merge.TableDay;
import io.cordwood.compaction.plan.LogBlockEntry;
import io.cordwood.compaction.plan.Merge;
import io.cordwood.compaction.plan.MergePlanner;
import io.cordwood.compaction.plan.MergePlanner.Effort;
import io.cordwood.compaction.plan.MergeSettings;
import io.cordwood.logblock.schema.LogBlockOptions;
import io.cordwood.logblock.write.LogBlockWriter;
import io.cordwood.record.KafkaRecord;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.assemble.DayRows;
import io.cordwood.record.assemble.RowAssembler;
import io.cordwood.record.buffer.RowBuffer;
import io.cordwood.record.decode.RecordDecoder;
import io.cordwood.record.policy.DecodingPolicy;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;

/**
 * Measures the metadata of a table after very many commits of small, real LogBlocks, made as the ingest job makes them.
 * Each commit represents a minute: the number of later commits is the age of a snapshot. Not thread-safe.
 */
final class CommitsPart {
    private static final int ROWS = 20;
    private static final long RAW_BYTES = 300;
    private static final int MINUTES_OF_AN_HOUR = 60;
    /** Age at which a commit itself drops snapshots that maintenance has not dropped. */
    private static final Duration COMMITS_OWN_RETENTION = Duration.ofHours(3);

    /** Minutes between two cycles of the compaction job. */
    private static final int CYCLE = 5;

    private static final Duration GRACE = SnapshotExpiry.DEFAULT_GRACE;
    /** Number of loads for the median. */
    private static final int LOADS = 11;

    private static final PartitionId PARTITION = new PartitionId("AAAAAAAAAAAAAAAAAAAAAA", 0);

    private final CatalogClient client;
    private final Report report;
    private final String tenant;
    private final boolean isMaintained;
    private final int commits;
    /** When each commit was answered, in epoch milliseconds. */
    private final long[] answeredMillis;

    private final double[] commitMillis;
    private final RecordDecoder decoder = new RecordDecoder(DecodingPolicy.DEFAULT);
    private final RowAssembler assembler = new RowAssembler(DecodingPolicy.DEFAULT, TenantLogBlocks.STREAM);
    private int done;

    private CommitsPart(CatalogClient client, Report report, String tenant, boolean isMaintained, int commits) {
        this.client = client;
        this.report = report;
        this.tenant = tenant;
        this.isMaintained = isMaintained;
        this.commits = commits;
        this.answeredMillis = new long[commits];
        this.commitMillis = new double[commits];
    }

    /**
     * Commits to two tables at the same time: the compaction job maintains and merges one of them, and the other gets
     * only commits.
     */
    static void run(CatalogClient client, Report report, int commits) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            List<Future<?>> tables = List.of(
                    threads.submit(() -> new CommitsPart(client, report, "maintained", true, commits).run()),
                    threads.submit(() -> new CommitsPart(client, report, "alone", false, commits).run()));
            for (Future<?> table : tables) {
                table.get();
            }
        }
    }

    private Object run() throws Exception {
        Iterator<String> lines = RequestLogGenerator.lines(commits * ROWS, 1, Math.ceilDiv(commits, MINUTES_OF_AN_HOUR))
                .iterator();
        RowBuffer rows = rows(lines);
        LoadedTable table = client.ensureTable(tenant, TenantLogBlocks.STREAM, List.of());
        table = client.ensureTable(tenant, TenantLogBlocks.STREAM, columns(table, rows));
        InstantSource minutes = () -> now(COMMITS_OWN_RETENTION);
        LogBlockCommitter committer = client.committer(
                (tenantId, stream, flush, first) -> {
                    throw new IOException("rows of %s are in its table twice".formatted(tenantId));
                },
                minutes.withZone(ZoneOffset.UTC));
        Maintenance maintenance = new Maintenance();
        while (true) {
            commit(table, committer, rows);
            if (isMaintained && done % CYCLE == 0) {
                maintenance.cycle((int) TimeUnit.MICROSECONDS.toDays(micros()));
            }
            if (done == commits / 10 || done == commits) {
                synchronized (report) {
                    measure();
                }
            }
            if (done == commits) {
                break;
            }
            rows = rows(lines);
        }
        synchronized (report) {
            report.add("commits/" + tenant, "merges", maintenance.merges, "merges");
            report.add("commits/" + tenant, "snapshots_expired", maintenance.snapshotsExpired, "snapshots");
        }
        return tenant;
    }

    /** The time when the rows of the next commit arrived. */
    private long micros() {
        return RequestLogGenerator.START + TimeUnit.MINUTES.toMicros(done);
    }

    private RowBuffer rows(Iterator<String> lines) throws UndecodableRecordException {
        RowBuffer rows = new RowBuffer();
        for (int row = 0; row < ROWS; row++) {
            long offset = (long) done * ROWS + row;
            byte[] line = lines.next().getBytes(UTF_8);
            decoder.decode(tenant, new KafkaRecord(offset, micros(), tenant.getBytes(UTF_8), line), rows);
        }
        return rows;
    }

    private List<ColumnDefinition> columns(LoadedTable table, RowBuffer rows) {
        return assembler.missingColumns(table.schema(), List.of(rows)).stream()
                .map(column -> new ColumnDefinition(column.name(), column.type(), column.index()))
                .toList();
    }

    private void commit(LoadedTable table, LogBlockCommitter committer, RowBuffer rows)
            throws IOException, InterruptedException {
        long from = (long) done * ROWS;
        long to = from + ROWS;
        List<LogBlockFile> files = new ArrayList<>();
        for (DayRows day : assembler
                .assemble(table.schema(), tenant, PARTITION.topicId(), PARTITION.partition(), List.of(rows))
                .days()) {
            files.add(write(table, day, from, to));
        }
        Flush flush = new Flush(
                PARTITION.topicId(),
                PARTITION.partition(),
                from,
                to,
                table.uuid(),
                files,
                List.of(new AppendRun(from, TimeUnit.MICROSECONDS.toHours(micros()), ROWS, ROWS * RAW_BYTES)));
        long begun = System.nanoTime();
        CommitOutcome outcome =
                committer.commit(tenant, TenantLogBlocks.STREAM, List.of(flush)).getFirst();
        commitMillis[done] = (System.nanoTime() - begun) / 1e6;
        if (outcome.status() != CommitOutcome.Status.COMMITTED) {
            throw new IOException("Commit %d of %s: %s".formatted(done, tenant, outcome));
        }
        answeredMillis[done] = System.currentTimeMillis();
        done++;
    }

    private static LogBlockFile write(LoadedTable table, DayRows day, long from, long to) throws IOException {
        String location = LogBlockNames.newLocation(table.location(), day.epochDay(), PARTITION, from, to);
        Path file = LocalFileIO.path(location);
        Files.createDirectories(file.getParent());
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file));
                LogBlockWriter writer = new LogBlockWriter(out, table.schema(), LogBlockOptions.DEFAULTS)) {
            writer.append(day.columns(), day.rows());
            return new LogBlockFile(location, day.epochDay(), writer.finish());
        }
    }

    /** The work of the compaction job on a table in a cycle. */
    private final class Maintenance {
        private final TableMaintenance maintenance = new TableMaintenance(
                client.io(),
                new Retention(client.catalog()),
                new SnapshotExpiry(client.catalog(), GRACE),
                new OrphanCleaner(client.catalog()),
                // There is nothing to measure here
                Duration.ofDays(10_000));
        private final MergePlanner planner = new MergePlanner(MergeSettings.ofTarget(128 << 20));
        private final DayMerger merger = new DayMerger(client, LogBlockOptions.DEFAULTS, true);
        private int merges;
        private int snapshotsExpired;

        void cycle(int today) throws IOException, InterruptedException {
            snapshotsExpired += maintenance
                    .run(
                            client.pointers(TenantLogBlocks.STREAM, List.of(tenant))
                                    .tables()
                                    .getFirst(),
                            TenantLogBlocks.STREAM,
                            OptionalInt.empty(),
                            now(GRACE),
                            now(GRACE))
                    .maintained()
                    .snapshotsExpired();
            Table table = load();
            for (TableDay day : TableDay.since(table, today - 2)) {
                Effort effort = day.epochDay() < today ? Effort.CLOSED_DAY : Effort.OPEN_DAY;
                for (Merge merge : planner.plan(day.entries(table), effort, false)) {
                    merge(day.epochDay(), merge);
                }
            }
        }

        private void merge(int day, Merge merge) throws IOException, InterruptedException {
            boolean isDone = merger.merge(
                            tenant,
                            TenantLogBlocks.STREAM,
                            day,
                            merge.inputs().stream().map(LogBlockEntry::location).collect(Collectors.toSet()),
                            merge.outputs(),
                            false)
                    .isDone();
            if (!isDone) {
                throw new IOException("A merge of %s was void without another writer".formatted(tenant));
            }
            merges++;
        }
    }

    /** The time at which this duration has passed since the response to the commit that many minutes earlier. */
    private Instant now(Duration ago) {
        long before = done - ago.toMinutes();
        return before < 0
                ? Instant.EPOCH
                : Instant.ofEpochMilli(answeredMillis[(int) before]).plus(ago);
    }

    private Table load() {
        return client.catalog().loadTable(TenantNames.table(tenant, TenantLogBlocks.STREAM));
    }

    private void measure() throws IOException {
        String name = "commits/%s/%d".formatted(tenant, done);
        TableMetadata metadata = ((BaseTable) load()).operations().current();
        Map<String, String> properties = metadata.properties();
        List<ManifestFile> manifests = metadata.currentSnapshot().allManifests(client.io());
        // The first ones include the warm-up of the JVM
        double[] lately = Arrays.copyOfRange(commitMillis, done - commits / 20, done);
        report.add(name, "commit_ms_median", Percentiles.of(lately).median(), "ms");
        report.add(name, "commit_ms_p95", Percentiles.of(lately).at(0.95), "ms");
        report.add(name, "load_table_ms", loadMillis(), "ms");
        report.add(name, "metadata_file_bytes", size(LocalFileIO.path(metadata.metadataFileLocation())), "bytes");
        report.add(name, "metadata_file_json_bytes", bytes(TableMetadataParser.toJson(metadata)), "bytes");
        report.add(name, "snapshots", metadata.snapshots().size(), "snapshots");
        report.add(name, "snapshot_log", metadata.snapshotLog().size(), "entries");
        report.add(name, "metadata_log", metadata.previousFiles().size(), "entries");
        report.add(name, "properties_bytes", bytes(properties.toString()), "bytes");
        report.add(name, "usage_journal_bytes", bytes(properties.get(UsageJournal.PROPERTY)), "bytes");
        report.add(
                name,
                "data_files",
                Double.parseDouble(metadata.currentSnapshot().summary().get("total-data-files")),
                "files");
        report.add(name, "manifests", manifests.size(), "files");
        report.add(
                name,
                "manifest_bytes",
                (double) manifests.stream().mapToLong(ManifestFile::length).sum(),
                "bytes");
        report.add(
                name,
                "manifest_list_bytes",
                size(LocalFileIO.path(metadata.currentSnapshot().manifestListLocation())),
                "bytes");
        stored(name, "metadata", LocalFileIO.path(metadata.location()).resolve("metadata"));
        stored(name, "data", LocalFileIO.path(metadata.location()).resolve("data"));
    }

    private void stored(String name, String what, Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            List<Path> objects = files.filter(Files::isRegularFile).toList();
            double bytes = 0;
            for (Path object : objects) {
                bytes += size(object);
            }
            report.add(name, "stored_%s_objects".formatted(what), objects.size(), "objects");
            report.add(name, "stored_%s_bytes".formatted(what), bytes, "bytes");
        }
    }

    private double loadMillis() {
        double[] millis = new double[LOADS];
        for (int run = 0; run < LOADS; run++) {
            long begun = System.nanoTime();
            load().uuid();
            millis[run] = (System.nanoTime() - begun) / 1e6;
        }
        return Percentiles.of(millis).median();
    }

    private static double size(Path file) throws IOException {
        return Files.size(file);
    }

    private static double bytes(String text) {
        return text.getBytes(UTF_8).length;
    }
}
