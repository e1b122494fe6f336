package io.cordwood.standalone;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.commit.CommitOutcome;
import io.cordwood.catalog.commit.Flush;
import io.cordwood.catalog.protocol.LoadedTable;
import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.catalog.table.LogBlockFile;
import io.cordwood.catalog.table.LogBlockNames;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.usage.AppendRun;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;

/**
 * Numbered rows of a tenant in LogBlocks, written and committed as the ingest job does it: row {@code n} says so in the
 * columns {@code n} and {@code message}. Not thread-safe.
 */
final class StoredRows {
    static final String STREAM = "logs";

    private static final String TOPIC_ID = "Qw3rTyUiOpAsDfGhJkLzXc";
    private static final int EPOCH_DAY = 20_400;
    private static final List<ColumnDefinition> COLUMNS = List.of(
            new ColumnDefinition("message", ColumnType.VARCHAR, IndexKind.TEXT),
            new ColumnDefinition("n", ColumnType.BIGINT, IndexKind.NONE));

    private final CatalogClient client;

    StoredRows(CatalogClient client) {
        this.client = client;
    }

    /** Adds the rows from {@code from} to before {@code to}; returns the location of their LogBlock. */
    String add(String tenant, long from, long to) throws IOException, InterruptedException {
        LoadedTable table = client.ensureTable(tenant, STREAM, COLUMNS);
        String location =
                LogBlockNames.newLocation(table.location(), EPOCH_DAY, new PartitionId(TOPIC_ID, 0), from, to);
        List<LogBlockFile> files;
        try (OutputStream out = client.io().newOutputFile(location).create();
                LogBlockWriter writer = new LogBlockWriter(out, table.schema(), LogBlockOptions.DEFAULTS)) {
            writer.append(vectors(table.schema(), tenant, from, to), Math.toIntExact(to - from));
            files = List.of(new LogBlockFile(location, EPOCH_DAY, writer.finish()));
        }
        long hour = TimeUnit.MILLISECONDS.toHours(System.currentTimeMillis());
        Flush flush = new Flush(TOPIC_ID, 0, from, to, table.uuid(), files, AppendRun.unmeasured(from, hour, files));
        List<CommitOutcome> outcomes =
                client.committer((t, s, any, first) -> List.of()).commit(tenant, STREAM, List.of(flush));
        if (outcomes.getFirst().status() != CommitOutcome.Status.COMMITTED) {
            throw new IllegalStateException("Not committed: " + outcomes);
        }
        return location;
    }

    private static List<Vector> vectors(LogBlockSchema schema, String tenant, long from, long to) {
        int rows = Math.toIntExact(to - from);
        long dayStart = TimeUnit.DAYS.toMicros(EPOCH_DAY);
        Map<String, Vector> byName = new HashMap<>();
        byName.put(LogBlockSchema.TENANT_ID, texts(from, to, n -> tenant));
        byName.put(LogBlockSchema.TS, numbers(from, to, n -> dayStart + n));
        byName.put(
                LogBlockSchema.ATTRIBUTES,
                new MapVector(new int[rows + 1], StringVector.of(), StringVector.of(), rows, NullMask.all(rows)));
        byName.put(LogBlockSchema.KAFKA_TOPIC_ID, texts(from, to, n -> TOPIC_ID));
        byName.put(LogBlockSchema.KAFKA_PARTITION, numbers(from, to, n -> 0));
        byName.put(LogBlockSchema.KAFKA_OFFSET, numbers(from, to, n -> n));
        byName.put(LogBlockSchema.KAFKA_ORDINAL, numbers(from, to, n -> 0));
        byName.put("message", texts(from, to, n -> "row %d of %s".formatted(n, tenant)));
        byName.put("n", numbers(from, to, n -> n));
        return schema.columns().stream()
                .map(column -> byName.get(column.name()))
                .toList();
    }

    private static StringVector texts(long from, long to, LongFunction<String> value) {
        return StringVector.of(LongStream.range(from, to).mapToObj(value).toArray(String[]::new));
    }

    private static LongVector numbers(long from, long to, LongUnaryOperator value) {
        return new LongVector(LongStream.range(from, to).map(value).toArray());
    }
}
