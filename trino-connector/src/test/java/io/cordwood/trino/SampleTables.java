package io.cordwood.trino;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.commit.CommitOutcome;
import io.cordwood.catalog.commit.Flush;
import io.cordwood.catalog.protocol.LoadedTable;
import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.catalog.table.LogBlockFile;
import io.cordwood.catalog.table.LogBlockNames;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.usage.AppendRun;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.LogBlockOptions;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.vector.BooleanVector;
import io.cordwood.logblock.vector.DoubleVector;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.MapVector;
import io.cordwood.logblock.vector.NullMask;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;
import io.cordwood.logblock.write.LogBlockSummary;
import io.cordwood.logblock.write.LogBlockWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.iceberg.io.PositionOutputStream;

/** Puts rows into tables as the ingest job would: LogBlocks of one tenant, partition and day, committed by offsets. */
final class SampleTables {
    static final String TOPIC_ID = "Qw3rTyUiOpAsDfGhJkLzXc";
    /** In which all rows came in. */
    static final long HOUR = 480_000;

    private final CatalogClient client;
    private final LogBlockOptions options;
    private final String topicId;
    private final Map<List<Object>, Long> offsets = new HashMap<>();

    SampleTables(CatalogClient client, LogBlockOptions options) {
        this(client, options, TOPIC_ID);
    }

    /** @param topicId the topic that the rows are taken to come from */
    SampleTables(CatalogClient client, LogBlockOptions options, String topicId) {
        this.client = client;
        this.options = options;
        this.topicId = topicId;
    }

    /** Adds rows from one partition, in one commit; the columns are created where they are missing. */
    void write(String tenantId, String stream, int partition, List<ColumnDefinition> columns, List<SampleRow> rows) {
        writeAll(tenantId, stream, partition, columns, List.of(rows));
    }

    /** As {@link #write}, each list of rows in LogBlocks of its own. */
    void writeAll(
            String tenantId,
            String stream,
            int partition,
            List<ColumnDefinition> columns,
            List<List<SampleRow>> batches) {
        LoadedTable table = client.ensureTable(tenantId, stream, columns);
        List<Object> source = List.of(tenantId, stream, partition);
        List<Flush> flushes = new ArrayList<>();
        for (List<SampleRow> rows : batches) {
            long from = offsets.getOrDefault(source, 0L);
            flushes.add(flush(table, partition, from, rows));
            offsets.put(source, flushes.getLast().to());
        }
        try {
            for (CommitOutcome outcome :
                    client.committer((tenant, name, flush, first) -> List.of()).commit(tenantId, stream, flushes)) {
                if (outcome.status() != CommitOutcome.Status.COMMITTED) {
                    throw new IllegalStateException("Not committed: " + outcome);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private Flush flush(LoadedTable table, int partition, long from, List<SampleRow> rows) {
        long to = from + Math.max(1, rows.size());
        Map<Integer, List<Offset>> days = new TreeMap<>();
        for (int i = 0; i < rows.size(); i++) {
            days.computeIfAbsent(rows.get(i).epochDay(), day -> new ArrayList<>())
                    .add(new Offset(from + i, rows.get(i)));
        }
        List<LogBlockFile> files = new ArrayList<>();
        days.forEach((day, dayRows) -> files.add(write(table, partition, from, to, day, dayRows)));
        return new Flush(topicId, partition, from, to, table.uuid(), files, AppendRun.unmeasured(from, HOUR, files));
    }

    private record Offset(long offset, SampleRow row) {}

    private LogBlockFile write(LoadedTable table, int partition, long from, long to, int epochDay, List<Offset> rows) {
        String location =
                LogBlockNames.newLocation(table.location(), epochDay, new PartitionId(topicId, partition), from, to);
        List<Offset> sorted = rows.stream()
                .sorted(Comparator.comparingLong((Offset each) -> each.row().micros())
                        .thenComparingLong(Offset::offset))
                .toList();
        try (PositionOutputStream out = client.io().newOutputFile(location).create()) {
            return new LogBlockFile(location, epochDay, write(out, table, partition, sorted));
        } catch (IOException e) {
            throw new IllegalStateException("Cannot write " + location, e);
        }
    }

    private LogBlockSummary write(OutputStream out, LoadedTable table, int partition, List<Offset> rows)
            throws IOException {
        try (LogBlockWriter writer = new LogBlockWriter(out, table.schema(), options)) {
            List<Vector> vectors = new ArrayList<>();
            for (Column column : table.schema().columns()) {
                vectors.add(vector(
                        column,
                        rows.stream()
                                .map(row -> value(column.name(), table.tenantId(), partition, row))
                                .toArray()));
            }
            writer.append(vectors, rows.size());
            return writer.finish();
        }
    }

    private Object value(String column, String tenantId, int partition, Offset row) {
        return switch (column) {
            case LogBlockSchema.TENANT_ID -> tenantId;
            case LogBlockSchema.TS -> row.row().micros();
            case LogBlockSchema.KAFKA_TOPIC_ID -> topicId;
            case LogBlockSchema.KAFKA_PARTITION -> (long) partition;
            case LogBlockSchema.KAFKA_OFFSET -> row.offset();
            case LogBlockSchema.KAFKA_ORDINAL -> 0L;
            default -> row.row().values().get(column);
        };
    }

    private static Vector vector(Column column, Object[] values) {
        NullMask nulls = new NullMask(values.length);
        for (int i = 0; i < values.length; i++) {
            if (values[i] == null) {
                nulls.set(i);
            }
        }
        return switch (column.type()) {
            case VARCHAR -> {
                String[] texts = new String[values.length];
                for (int i = 0; i < texts.length; i++) {
                    texts[i] = (String) values[i];
                }
                yield StringVector.of(texts);
            }
            case BIGINT, TIMESTAMP -> {
                long[] numbers = new long[values.length];
                for (int i = 0; i < numbers.length; i++) {
                    numbers[i] = values[i] == null ? 0 : ((Number) values[i]).longValue();
                }
                yield new LongVector(numbers, numbers.length, nulls);
            }
            case DOUBLE -> {
                double[] numbers = new double[values.length];
                for (int i = 0; i < numbers.length; i++) {
                    numbers[i] = values[i] == null ? 0 : ((Number) values[i]).doubleValue();
                }
                yield new DoubleVector(numbers, numbers.length, nulls);
            }
            case BOOLEAN -> {
                boolean[] flags = new boolean[values.length];
                for (int i = 0; i < flags.length; i++) {
                    flags[i] = Objects.equals(values[i], true);
                }
                yield new BooleanVector(flags, flags.length, nulls);
            }
            case MAP -> map(values, nulls);
        };
    }

    private static MapVector map(Object[] values, NullMask nulls) {
        List<String> keys = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        int[] entries = new int[values.length + 1];
        for (int i = 0; i < values.length; i++) {
            if (values[i] instanceof Map<?, ?> map) {
                map.forEach((key, value) -> {
                    keys.add((String) key);
                    texts.add((String) value);
                });
            }
            entries[i + 1] = keys.size();
        }
        return new MapVector(
                entries,
                StringVector.of(keys.toArray(String[]::new)),
                StringVector.of(texts.toArray(String[]::new)),
                values.length,
                nulls);
    }
}
