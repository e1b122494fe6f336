package io.cordwood.search;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.commit.CommitOutcome;
import io.cordwood.catalog.commit.Flush;
import io.cordwood.catalog.protocol.LoadedTable;
import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.catalog.table.LogBlockFile;
import io.cordwood.catalog.table.LogBlockNames;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.usage.AppendRun;
import io.cordwood.logblock.schema.LogBlockOptions;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.MapVector;
import io.cordwood.logblock.vector.NullMask;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;
import io.cordwood.logblock.write.LogBlockWriter;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Very many rows of a tenant, one each millisecond of a day, in LogBlocks as the ingest job commits them: without
 * Kafka, so that ten million take a minute. Row {@code n} says so. Not thread-safe.
 */
final class ManyRows {
    static final long ROWS_OF_A_BLOCK = 500_000;

    private static final String TOPIC_ID = "Qw3rTyUiOpAsDfGhJkLzXc";
    private static final int ROWS_OF_AN_APPEND = 50_000;
    private static final String[] LEVELS = {"INFO", "DEBUG", "WARN", "ERROR"};
    private static final String[] SERVICES = {"cart", "checkout", "gateway", "inventory", "payments", "search"};
    private static final List<ColumnDefinition> COLUMNS = List.of(
            ColumnDefinition.keyword("level"), ColumnDefinition.keyword("service"), ColumnDefinition.text("message"));

    private final CatalogClient client;
    private final String tenant;
    private final long epochDay;

    /** @param day a time of the day of the rows */
    ManyRows(CatalogClient client, String tenant, Instant day) {
        this.client = client;
        this.tenant = tenant;
        this.epochDay = TimeUnit.SECONDS.toDays(day.getEpochSecond());
    }

    /** The time of a row. */
    Instant time(long row) {
        return Instant.ofEpochSecond(TimeUnit.DAYS.toSeconds(epochDay)).plusMillis(row);
    }

    /** Adds the rows from 0 to before {@code rows}. */
    void add(long rows) throws IOException, InterruptedException {
        for (long from = 0; from < rows; from += ROWS_OF_A_BLOCK) {
            addBlock(from, Math.min(rows, from + ROWS_OF_A_BLOCK));
        }
    }

    private void addBlock(long from, long to) throws IOException, InterruptedException {
        LoadedTable table = client.ensureTable(tenant, SearchFixture.STREAM, COLUMNS);
        int day = Math.toIntExact(epochDay);
        String location = LogBlockNames.newLocation(table.location(), day, new PartitionId(TOPIC_ID, 0), from, to);
        List<LogBlockFile> files;
        try (OutputStream out = new BufferedOutputStream(
                        client.io().newOutputFile(location).create(), 1 << 20);
                LogBlockWriter writer = new LogBlockWriter(out, table.schema(), LogBlockOptions.DEFAULTS)) {
            for (long next = from; next < to; next += ROWS_OF_AN_APPEND) {
                int rows = Math.toIntExact(Math.min(ROWS_OF_AN_APPEND, to - next));
                writer.append(vectors(table.schema(), next, rows), rows);
            }
            files = List.of(new LogBlockFile(location, day, writer.finish()));
        }
        long hour = TimeUnit.MILLISECONDS.toHours(System.currentTimeMillis());
        Flush flush = new Flush(TOPIC_ID, 0, from, to, table.uuid(), files, AppendRun.unmeasured(from, hour, files));
        List<CommitOutcome> outcomes =
                client.committer((t, s, any, first) -> List.of()).commit(tenant, SearchFixture.STREAM, List.of(flush));
        if (outcomes.getFirst().status() != CommitOutcome.Status.COMMITTED) {
            throw new IllegalStateException("Not committed: " + outcomes);
        }
    }

    private List<Vector> vectors(LogBlockSchema schema, long from, int rows) {
        long dayStart = TimeUnit.DAYS.toMicros(epochDay);
        Map<String, Vector> byName = new HashMap<>();
        byName.put(LogBlockSchema.TENANT_ID, choice(rows, i -> 0, tenant));
        byName.put(LogBlockSchema.TS, numbers(from, rows, n -> dayStart + TimeUnit.MILLISECONDS.toMicros(n)));
        byName.put(
                LogBlockSchema.ATTRIBUTES,
                new MapVector(new int[rows + 1], StringVector.of(), StringVector.of(), rows, NullMask.all(rows)));
        byName.put(LogBlockSchema.KAFKA_TOPIC_ID, choice(rows, i -> 0, TOPIC_ID));
        byName.put(LogBlockSchema.KAFKA_PARTITION, numbers(from, rows, n -> 0));
        byName.put(LogBlockSchema.KAFKA_OFFSET, numbers(from, rows, n -> n));
        byName.put(LogBlockSchema.KAFKA_ORDINAL, numbers(from, rows, n -> 0));
        byName.put("level", choice(rows, i -> i % 100 == 0 ? 3 : i % 20 == 0 ? 2 : i % 5 == 0 ? 1 : 0, LEVELS));
        byName.put("service", choice(rows, i -> i % SERVICES.length, SERVICES));
        byName.put(
                "message",
                StringVector.of(LongStream.range(from, from + rows)
                        .mapToObj(n -> "request " + n + " answered 200 in " + n % 97 + " ms for user " + n % 10_007)
                        .toArray(String[]::new)));
        return schema.columns().stream()
                .map(column -> byName.get(column.name()))
                .toList();
    }

    private static StringVector choice(int rows, IntUnaryOperator slot, String... values) {
        byte[] bytes = String.join("", values).getBytes(UTF_8);
        int[] offsets = new int[values.length + 1];
        for (int i = 0; i < values.length; i++) {
            offsets[i + 1] = offsets[i] + values[i].length();
        }
        return new StringVector(
                bytes, offsets, IntStream.range(0, rows).map(slot).toArray(), rows, new NullMask(rows));
    }

    private static LongVector numbers(long from, int rows, LongUnaryOperator value) {
        long[] values = new long[rows];
        Arrays.setAll(values, i -> value.applyAsLong(from + i));
        return new LongVector(values);
    }
}
