package io.cordwood.benchmarks.compaction;

import io.cordwood.benchmarks.report.Phases;
import io.cordwood.benchmarks.report.Report;
import io.cordwood.benchmarks.run.Scratch;
import io.cordwood.benchmarks.table.TenantLogBlocks;
import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.delete.DeleteCommitter;
import io.cordwood.catalog.delete.DeletedRows;
import io.cordwood.catalog.delete.Deletion;
import io.cordwood.catalog.delete.PositionDeleteWriter;
import io.cordwood.catalog.delete.WrittenDeletes;
import io.cordwood.catalog.io.InputFileReader;
import io.cordwood.catalog.table.TableSchemas;
import io.cordwood.compaction.CompactionCluster;
import io.cordwood.compaction.CompactionOptions;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.scan.LogBlock;
import io.cordwood.logblock.scan.ReadOptions;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.LogBlockOptions;
import io.cordwood.logblock.schema.TimeRange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.CloseableIterable;

/**
 * Deletes a person's rows as the connector does, beside the compaction job, and measures the time until no reader sees
 * them, until no LogBlock of the table holds them, and until no object of the warehouse does. All rows belong to one
 * tenant. Not thread-safe.
 */
final class DeletionPart {
    private static final String TENANT = "1";
    private static final String USER_ID = "user_id";
    private static final int USERS = 50_000;
    /** One of these many users, who has rows over the whole time. */
    private static final String REGULAR = user(4_711);
    /** A user with a single visit. */
    private static final String VISITOR = "visitor-00000815";
    /** Every n-th row in the visitor's time belongs to the visitor. */
    private static final int VISITOR_STRIDE = 2_000;

    private static final Duration INTERVAL = Duration.ofSeconds(2);
    /** The smallest interval that the job accepts. */
    private static final Duration SNAPSHOT_GRACE = Duration.ofMinutes(1);

    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final long POLL_MILLIS = 100;

    private final Scratch scratch;
    private final URI catalogUri;
    private final CatalogClient client;
    private final Report report;
    private final Phases phases;
    private long row;

    DeletionPart(Scratch scratch, URI catalogUri, CatalogClient client, Report report, Phases phases) {
        this.scratch = scratch;
        this.catalogUri = catalogUri;
        this.client = client;
        this.report = report;
        this.phases = phases;
    }

    /** Runs on these rows in this number of flushes. */
    void run(Path ndjson, int flushes) throws Exception {
        phases.begin("deletion: flush");
        long rows;
        try (var lines = Files.lines(ndjson)) {
            rows = lines.count();
        }
        FlushedTables.Loaded loaded =
                new FlushedTables(client, (tenant, chunk) -> {}).load(ndjson, flushes, withUsers(rows));
        List<FileScanTask> logBlocks = logBlocks();
        report.add("deletion", "rows", (double) loaded.rows(), "rows");
        report.add("deletion", "logblocks", logBlocks.size(), "files");
        phases.begin("deletion: start job");
        try (CompactionCluster job = startJob(logBlocks)) {
            // The job answers once it runs
            job.dashboard();
            delete("deletion/visitor", VISITOR);
            delete("deletion/regular", REGULAR);
        }
    }

    private static String user(long number) {
        return "user-%08d".formatted(number);
    }

    /** Rewrites the rows for one tenant and adds a user to each. */
    private UnaryOperator<String> withUsers(long rows) {
        return line -> {
            long number = row++;
            boolean isVisitTime = number >= rows * 2 / 5 && number < rows * 9 / 20;
            String user = isVisitTime && number % VISITOR_STRIDE == 0
                    ? VISITOR
                    : user(Math.floorMod(number * 0x9E3779B97F4A7C15L >>> 16, USERS));
            return TenantLogBlocks.TENANT
                    .matcher(line)
                    .replaceFirst("\"tenant_id\":%s,\"%s\":\"%s\"".formatted(TENANT, USER_ID, user));
        };
    }

    /** The job's target size is the size of the existing LogBlocks, so that it merges none without deletions. */
    private CompactionCluster startJob(List<FileScanTask> logBlocks) throws Exception {
        long medianBytes = logBlocks.stream()
                .mapToLong(task -> task.file().fileSizeInBytes())
                .sorted()
                .toArray()[logBlocks.size() / 2];
        CompactionOptions options = new CompactionOptions(
                catalogUri,
                Map.of(CatalogProperties.FILE_IO_IMPL, UnforcedFileIO.class.getName()),
                List.of(TenantLogBlocks.STREAM),
                Optional.of(TENANT),
                false,
                INTERVAL,
                medianBytes,
                Long.MAX_VALUE,
                1,
                LogBlockOptions.DEFAULTS.zstdLevel(),
                true,
                SNAPSHOT_GRACE,
                Duration.ofDays(1),
                OptionalInt.empty());
        Path work = Files.createDirectories(scratch.directory().resolve("deletion-flink"));
        return CompactionCluster.start(options, "127.0.0.1", 0, work.toString());
    }

    private void delete(String name, String user) throws Exception {
        phases.begin(name + ": search before");
        Path warehouse = CompactionBench.warehouse(scratch);
        ObjectSearch.Found before = ObjectSearch.of(warehouse, user);
        require(!before.withText().isEmpty(), "no object holds %s before it is deleted", user);
        Set<String> liveBefore = locations();

        phases.begin(name + ": delete");
        long begun = System.nanoTime();
        Deletion deletion = commit(user);
        report.add(name, "invisible_seconds", seconds(begun), "s");
        require(find(user).isEmpty(), "rows of %s can still be read", user);
        await(
                "no LogBlock holds the rows",
                () -> !liveDeletes() && locations().stream().noneMatch(deletion.dataFiles()::contains));
        report.add(name, "rewritten_seconds", seconds(begun), "s");
        Set<String> liveAfter = locations();
        await("they are gone", () -> isGone(deletion));
        report.add(name, "gone_seconds", seconds(begun), "s");

        phases.begin(name + ": search after");
        ObjectSearch.Found after = ObjectSearch.of(warehouse, user);
        report.add(name, "rows_deleted", (double) deletion.rows(), "rows");
        report.add(name, "logblocks_with_rows", deletion.dataFiles().size(), "files");
        report.add(
                name,
                "logblocks_rewritten",
                (double) liveBefore.stream()
                        .filter(location -> !liveAfter.contains(location))
                        .count(),
                "files");
        report.add(name, "objects_searched_before", before.searched(), "objects");
        report.add(name, "objects_with_bytes_before", before.withText().size(), "objects");
        report.add(name, "objects_searched_after", after.searched(), "objects");
        report.add(name, "objects_with_bytes_after", after.withText().size(), "objects");
        require(after.withText().isEmpty(), "%s is still in " + after.withText(), user);
    }

    private static double seconds(long begunNanos) {
        return (double) (System.nanoTime() - begunNanos) / 1e9;
    }

    private static void require(boolean condition, String message, String user) throws IOException {
        if (!condition) {
            throw new IOException(message.formatted(user));
        }
    }

    private static void await(String what, BooleanSupplier condition) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new IOException("Waited %s in vain until %s".formatted(TIMEOUT, what));
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    /** Finds the rows, writes delete files, commits and registers them, as a DELETE does after its flush. */
    private Deletion commit(String user) throws IOException, InterruptedException {
        Table table = table();
        List<WrittenDeletes> files = PositionDeleteWriter.write(find(user), table.location(), client.io());
        Deletion deletion = new Deletion(
                UUID.randomUUID().toString(),
                TENANT,
                TenantLogBlocks.STREAM,
                USER_ID,
                "bench",
                "bench",
                System.currentTimeMillis(),
                files.stream().mapToLong(WrittenDeletes::rowCount).sum(),
                files.stream().flatMap(file -> file.dataFiles().stream()).toList(),
                OptionalLong.empty(),
                OptionalLong.empty());
        client.putDeletion(deletion);
        long snapshot = client.deleteCommitter()
                .commit(new DeleteCommitter.Deletes(
                        deletion.id(),
                        TENANT,
                        TenantLogBlocks.STREAM,
                        ((BaseTable) table).operations().current().uuid(),
                        table.currentSnapshot().snapshotId(),
                        files));
        Deletion committed = deletion.committed(snapshot);
        client.putDeletion(committed);
        return committed;
    }

    /** The user's rows that are not deleted, by LogBlock. */
    private Map<String, DeletedRows> find(String user) throws IOException {
        Table table = table();
        Column column = TableSchemas.logBlockSchema(table.schema(), table.properties())
                .column(USER_ID)
                .orElseThrow();
        Predicate isUser = new Predicate.In(column, List.of(Predicate.ValueRange.equal(user)));
        Map<String, DeletedRows> found = new HashMap<>();
        ReadMetrics metrics = new ReadMetrics();
        for (FileScanTask task : logBlocks()) {
            String location = task.file().location();
            try (LogBlock block = LogBlock.open(new InputFileReader(client.io().newInputFile(location)), metrics)) {
                DeletedRows deleted = DeletedRows.of(task, client.io());
                List<Integer> rows = new ArrayList<>();
                for (int number : block.select(TimeRange.ALL, isUser, ReadOptions.DEFAULTS, metrics)
                        .toArray()) {
                    if (!deleted.contains(number)) {
                        rows.add(number);
                    }
                }
                if (!rows.isEmpty()) {
                    found.put(
                            location,
                            DeletedRows.of(
                                    rows.stream().mapToInt(Integer::intValue).toArray()));
                }
            }
        }
        return found;
    }

    private Table table() {
        return client.catalog().loadTable(TableIdentifier.of(Namespace.of(TENANT), TenantLogBlocks.STREAM));
    }

    private List<FileScanTask> logBlocks() {
        try (CloseableIterable<FileScanTask> tasks = table().newScan().planFiles()) {
            List<FileScanTask> all = new ArrayList<>();
            tasks.forEach(all::add);
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Set<String> locations() {
        Set<String> locations = new HashSet<>();
        logBlocks().forEach(task -> locations.add(task.file().location()));
        return locations;
    }

    private boolean liveDeletes() {
        return !table().currentSnapshot()
                .summary()
                .getOrDefault("total-delete-files", "0")
                .equals("0");
    }

    private boolean isGone(Deletion deletion) {
        return client.deletions().stream()
                .anyMatch(known -> known.id().equals(deletion.id()) && known.status() == Deletion.Status.GONE);
    }
}
