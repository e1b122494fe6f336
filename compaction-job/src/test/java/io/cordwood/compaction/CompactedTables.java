package io.cordwood.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.commit.CommitOutcome;
import io.cordwood.catalog.commit.Flush;
import io.cordwood.catalog.delete.DeletedRows;
import io.cordwood.catalog.delete.PositionDeleteWriter;
import io.cordwood.catalog.delete.WrittenDeletes;
import io.cordwood.catalog.io.InputFileReader;
import io.cordwood.catalog.protocol.LoadedTable;
import io.cordwood.catalog.server.CatalogServer;
import io.cordwood.catalog.server.CatalogServerOptions;
import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.catalog.table.LogBlockFile;
import io.cordwood.catalog.table.LogBlockNames;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.table.TableSchemas;
import io.cordwood.catalog.tenant.TenantNames;
import io.cordwood.catalog.usage.AppendRun;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.scan.ColumnCursor;
import io.cordwood.logblock.scan.LogBlock;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.logblock.schema.LogBlockOptions;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.MapVector;
import io.cordwood.logblock.vector.NullMask;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;
import io.cordwood.logblock.write.LogBlockWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionData;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.io.CloseableIterable;

/** A catalog service on disk with real LogBlocks in it. Thread-safe but for flushes of one tenant. */
final class CompactedTables implements AutoCloseable {
    static final String STREAM = "logs";
    private static final String TOPIC_ID = "topic-A";
    private static final long DAY_MICROS = 86_400_000_000L;
    private static final List<ColumnDefinition> COLUMNS = List.of(
            new ColumnDefinition("message", ColumnType.VARCHAR, IndexKind.TEXT),
            new ColumnDefinition("level", ColumnType.VARCHAR, IndexKind.KEYWORD),
            new ColumnDefinition("latency", ColumnType.BIGINT, IndexKind.NONE));

    private final CatalogServer server;
    private final CatalogClient client;
    private final LogBlockOptions options;
    private final Path warehouse;
    private final Map<String, Long> positions = new HashMap<>();
    private InstantSource brokers = InstantSource.system();

    private CompactedTables(CatalogServer server, CatalogClient client, LogBlockOptions options, Path warehouse) {
        this.server = server;
        this.client = client;
        this.options = options;
        this.warehouse = warehouse;
    }

    static CompactedTables start(Path directory) throws IOException {
        CatalogServer server = CatalogServer.start(new CatalogServerOptions(
                "127.0.0.1",
                0,
                "jdbc:sqlite:" + directory.resolve("catalog.db"),
                directory.resolve("warehouse").toString(),
                Map.of()));
        LogBlockOptions small = new LogBlockOptions(3, 8 << 10, 1 << 10, 512, 1 << 16, 100);
        return new CompactedTables(
                server, CatalogClient.connect(server.uri(), Map.of()), small, directory.resolve("warehouse"));
    }

    CatalogClient client() {
        return client;
    }

    java.net.URI uri() {
        return server.uri();
    }

    Table table(String tenantId) {
        return client.catalog().loadTable(TenantNames.table(tenantId, STREAM));
    }

    /** Sets the clock of the brokers, who say when rows were appended. */
    void setBrokersClock(Instant time) {
        brokers = InstantSource.fixed(time);
    }

    /** Commits rows of a partition in a day, between two times of that day in microseconds. */
    void flush(String tenantId, int partition, int epochDay, long from, long to, int rows, long seed)
            throws IOException, InterruptedException {
        LoadedTable table = client.ensureTable(tenantId, STREAM, COLUMNS);
        PartitionId id = new PartitionId(TOPIC_ID, partition);
        long offset = positions.getOrDefault(tenantId + partition, 0L);
        String location = LogBlockNames.newLocation(table.location(), epochDay, id, offset, offset + rows);
        LogBlockFile file;
        try (OutputStream out = client.io().newOutputFile(location).create();
                LogBlockWriter writer = new LogBlockWriter(out, table.schema(), options)) {
            writer.append(
                    vectors(table.schema(), tenantId, partition, epochDay * DAY_MICROS, from, to, offset, rows, seed),
                    rows);
            file = new LogBlockFile(location, epochDay, writer.finish());
        }
        List<LogBlockFile> files = List.of(file);
        Flush flush = new Flush(
                TOPIC_ID,
                partition,
                offset,
                offset + rows,
                table.uuid(),
                files,
                AppendRun.unmeasured(offset, TimeUnit.MILLISECONDS.toHours(brokers.millis()), files));
        List<CommitOutcome> outcomes = client.committer((t, s, any, first) -> {
                    throw new IOException("nothing to rewrite");
                })
                .commit(tenantId, STREAM, List.of(flush));
        assertThat(outcomes).extracting(CommitOutcome::status).containsExactly(CommitOutcome.Status.COMMITTED);
        positions.put(tenantId + partition, offset + rows);
    }

    private static List<Vector> vectors(
            LogBlockSchema schema,
            String tenantId,
            int partition,
            long dayStart,
            long from,
            long to,
            long offset,
            int rows,
            long seed) {
        Random random = new Random(seed);
        long[] times = random.longs(rows, from, to)
                .map(time -> dayStart + time)
                .sorted()
                .toArray();
        NullMask noAttributes = NullMask.all(rows);
        Map<String, Vector> byName = new HashMap<>();
        byName.put(LogBlockSchema.TENANT_ID, texts(rows, row -> tenantId));
        byName.put(LogBlockSchema.TS, new LongVector(times));
        byName.put(
                LogBlockSchema.ATTRIBUTES,
                new MapVector(new int[rows + 1], StringVector.of(), StringVector.of(), rows, noAttributes));
        byName.put(LogBlockSchema.KAFKA_TOPIC_ID, texts(rows, row -> TOPIC_ID));
        byName.put(LogBlockSchema.KAFKA_PARTITION, longs(rows, row -> partition));
        byName.put(LogBlockSchema.KAFKA_OFFSET, longs(rows, row -> offset + row));
        byName.put(LogBlockSchema.KAFKA_ORDINAL, longs(rows, row -> 0));
        byName.put(
                "message",
                texts(
                        rows,
                        row -> "request %d took %d ms, trace %016x"
                                .formatted(row, random.nextInt(5000), random.nextLong())));
        byName.put("level", texts(rows, row -> random.nextInt(5) == 0 ? null : "level" + random.nextInt(4)));
        byName.put("latency", longs(rows, row -> random.nextInt(5000)));
        return schema.columns().stream()
                .map(column -> byName.get(column.name()))
                .toList();
    }

    private static StringVector texts(int rows, java.util.function.IntFunction<String> value) {
        return StringVector.of(IntStream.range(0, rows).mapToObj(value).toArray(String[]::new));
    }

    private static LongVector longs(int rows, java.util.function.IntToLongFunction value) {
        return new LongVector(IntStream.range(0, rows).mapToLong(value).toArray());
    }

    /** All rows that the table shows, as text, in the order of (ts, partition, offset). */
    List<String> rows(String tenantId) throws IOException {
        Table table = table(tenantId);
        TreeMap<List<Long>, String> rows = new TreeMap<>(java.util.Comparator.<List<Long>>comparingLong(List::getFirst)
                .thenComparingLong(key -> key.get(1))
                .thenComparingLong(key -> key.get(2)));
        LogBlockSchema schema = TableSchemas.logBlockSchema(table.schema(), table.properties());
        try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
            for (FileScanTask task : tasks) {
                DeletedRows deleted = DeletedRows.of(task, table.io());
                try (LogBlock block = LogBlock.open(
                        new InputFileReader(table.io().newInputFile(task.file().location())), new ReadMetrics())) {
                    int[] all = IntStream.range(0, block.rowCount()).toArray();
                    Map<String, Vector> values = new HashMap<>();
                    for (var column : schema.columns()) {
                        ColumnCursor cursor = block.cursor(column, new ReadMetrics());
                        values.put(column.name(), cursor.read(all, 0, all.length));
                    }
                    for (int row : all) {
                        if (!deleted.contains(row)) {
                            List<Long> key = List.of(
                                    number(values, LogBlockSchema.TS, row),
                                    number(values, LogBlockSchema.KAFKA_PARTITION, row),
                                    number(values, LogBlockSchema.KAFKA_OFFSET, row));
                            String text = "%s %s %s %d"
                                    .formatted(
                                            key,
                                            string(values, "message", row),
                                            string(values, "level", row),
                                            number(values, "latency", row));
                            assertThat(rows.put(key, text)).as("row twice").isNull();
                        }
                    }
                }
            }
        }
        return new ArrayList<>(rows.values());
    }

    private static long number(Map<String, Vector> values, String column, int row) {
        return ((LongVector) values.get(column)).values()[row];
    }

    private static String string(Map<String, Vector> values, String column, int row) {
        StringVector texts = (StringVector) values.get(column);
        return texts.isNull(row) ? null : texts.string(row);
    }

    /** Data files that the table refers to. */
    List<FileScanTask> files(String tenantId) throws IOException {
        return files(table(tenantId));
    }

    private static List<FileScanTask> files(Table table) throws IOException {
        List<FileScanTask> files = new ArrayList<>();
        try (CloseableIterable<FileScanTask> tasks =
                table.newScan().includeColumnStats().planFiles()) {
            tasks.forEach(files::add);
        }
        return files;
    }

    /** The number of pages that the text of a LogBlock's messages has. */
    int textPages(String tenantId, FileScanTask task) throws IOException {
        Table table = table(tenantId);
        LogBlockSchema schema = TableSchemas.logBlockSchema(table.schema(), table.properties());
        ReadMetrics metrics = new ReadMetrics();
        try (LogBlock block = LogBlock.open(
                new InputFileReader(table.io().newInputFile(task.file().location())), metrics)) {
            return block.storedText(schema.column("message").orElseThrow(), metrics)
                    .orElseThrow()
                    .pages()
                    .count();
        }
    }

    /**
     * Deletes some rows of a LogBlock.
     *
     * @return false if the LogBlock is not in the table any more
     */
    boolean deleteRows(String tenantId, FileScanTask task, int... rows) throws IOException {
        Table table = table(tenantId);
        // What was gone before this snapshot is not found by the validation
        if (files(table).stream()
                .noneMatch(live -> live.file().location().equals(task.file().location()))) {
            return false;
        }
        RowDelta delta = table.newRowDelta()
                .validateFromSnapshot(table.currentSnapshot().snapshotId())
                .validateDataFilesExist(List.of(task.file().location()));
        for (WrittenDeletes written : PositionDeleteWriter.write(
                Map.of(task.file().location(), DeletedRows.of(rows)), table.location(), table.io())) {
            PartitionData day = new PartitionData(table.spec().partitionType());
            day.set(0, task.file().partition().get(0, Integer.class));
            delta.addDeletes(FileMetadata.deleteFileBuilder(table.spec())
                    .ofPositionDeletes()
                    .withPath(written.location())
                    .withFormat(org.apache.iceberg.FileFormat.PARQUET)
                    .withFileSizeInBytes(written.sizeInBytes())
                    .withRecordCount(written.rowCount())
                    .withPartition(day)
                    .build());
        }
        try {
            delta.commit();
            return true;
        } catch (ValidationException | CommitFailedException e) {
            // Rewritten meanwhile, or flushes got in the way of each attempt
            return false;
        }
    }

    /** Objects that hold rows of the tenant, whether a table refers to them or not. */
    List<Path> objects(String tenantId) throws IOException {
        List<Path> logBlocks = new ArrayList<>();
        Files.walkFileTree(warehouse.resolve(TenantNames.schemaName(tenantId)), new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(".parquet")) {
                    logBlocks.add(file);
                }
                return FileVisitResult.CONTINUE;
            }

            /** Passes over files that were deleted since their directory was listed: a commit deletes old metadata. */
            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (e instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw e;
            }
        });
        return logBlocks;
    }

    PartitionId partition(int number) {
        return new PartitionId(TOPIC_ID, number);
    }

    TableOffsets offsets(String tenantId) {
        return TableOffsets.fromProperties(table(tenantId).properties());
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
