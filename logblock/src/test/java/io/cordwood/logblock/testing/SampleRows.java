package io.cordwood.logblock.testing;

import io.cordwood.logblock.scan.ReadOptions;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.LogBlockOptions;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.vector.BooleanVector;
import io.cordwood.logblock.vector.DoubleVector;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.MapVector;
import io.cordwood.logblock.vector.NullMask;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;
import io.cordwood.logblock.vector.Vectors;
import io.cordwood.logblock.write.LogBlockWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Seeded rows with every type, nulls, recurring and unique values, and tokens of all frequencies. */
public final class SampleRows {
    public static final Column TENANT = Column.keyword("tenant_id", 1).asRequired();
    public static final Column TS = Column.of("ts", 2, ColumnType.TIMESTAMP).asRequired();
    static final Column ATTRIBUTES = Column.map("attributes", 3, 20, 21);
    public static final Column LEVEL = Column.keyword("level", 4);
    public static final Column TRACE = Column.keyword("trace.id", 5);
    public static final Column MESSAGE = Column.text("message", 6);
    public static final Column LATENCY = Column.of("latency", 7, ColumnType.BIGINT);
    public static final Column RATIO = Column.of("ratio", 8, ColumnType.DOUBLE);
    public static final Column FAIL = Column.of("fail", 9, ColumnType.BOOLEAN);
    static final Column OFFSET =
            Column.of("_kafka_offset", 10, ColumnType.BIGINT).asRequired();
    public static final Column NOTE = Column.text("9note", 11);
    public static final LogBlockSchema SCHEMA = new LogBlockSchema(
            List.of(TENANT, TS, ATTRIBUTES, LEVEL, TRACE, MESSAGE, LATENCY, RATIO, FAIL, OFFSET, NOTE));
    public static final LogBlockOptions SMALL_BLOCKS = new LogBlockOptions(3, 2 << 10, 1 << 10, 64, 700, 1);
    /** Pages of text of several blocks of Zstandard. */
    public static final LogBlockOptions LARGE_PAGES = new LogBlockOptions(3, 384 << 10, 64 << 10, 1 << 16, 1 << 20, 1);

    /** Each switch off, and all. */
    public static final List<ReadOptions> ALL_OPTIONS = List.of(
            ReadOptions.DEFAULTS,
            new ReadOptions(false, true, true),
            new ReadOptions(true, false, true),
            new ReadOptions(true, true, false),
            new ReadOptions(false, false, false));

    static final String[] LEVELS = {"INFO", "info", "WARN", "ERROR", "Debug"};
    public static final List<String> WORDS = List.of(
            "GET", "api", "user", "cart", "timeout", "Größe", "北京", "connection", "refused", "10.0.0.1", "café", "x");

    public final List<Vector> vectors;
    public final int rows;

    public SampleRows(long seed, int rows) {
        Random random = new Random(seed);
        this.rows = rows;
        String[] tenant = new String[rows];
        long[] ts = new long[rows];
        String[] level = new String[rows];
        String[] trace = new String[rows];
        String[] message = new String[rows];
        String[] note = new String[rows];
        long[] latency = new long[rows];
        NullMask latencyNulls = new NullMask(rows);
        double[] ratio = new double[rows];
        NullMask ratioNulls = new NullMask(rows);
        boolean[] fail = new boolean[rows];
        NullMask failNulls = new NullMask(rows);
        long[] offset = new long[rows];
        int[] entryOffsets = new int[rows + 1];
        NullMask mapNulls = new NullMask(rows);
        List<String> keys = new ArrayList<>();
        List<String> values = new ArrayList<>();
        long time = 1_700_000_000_000_000L;
        for (int i = 0; i < rows; i++) {
            tenant[i] = "acme";
            time += random.nextInt(4) == 0 ? 0 : random.nextInt(1_000_000);
            ts[i] = time;
            level[i] = random.nextInt(10) == 0 ? null : LEVELS[random.nextInt(LEVELS.length)];
            trace[i] = random.nextInt(3) == 0 ? null : "t" + Long.toHexString(random.nextInt(rows) * 7919L);
            message[i] = random.nextInt(20) == 0 ? null : message(random);
            note[i] = i < rows / 2 ? null : "note " + i % 5;
            latency[i] = random.nextInt(300);
            if (random.nextInt(15) == 0) {
                latencyNulls.set(i);
            }
            ratio[i] = switch (random.nextInt(12)) {
                case 0 -> Double.NaN;
                case 1 -> -0.0;
                case 2 -> Double.POSITIVE_INFINITY;
                default -> random.nextGaussian();
            };
            if (random.nextInt(15) == 0) {
                ratioNulls.set(i);
            }
            fail[i] = random.nextInt(5) == 0;
            if (random.nextInt(15) == 0) {
                failNulls.set(i);
            }
            offset[i] = i * 3L;
            int entries = random.nextInt(6) == 0 ? random.nextInt(3) : 0;
            for (int e = 0; e < entries; e++) {
                keys.add("k" + e);
                values.add(random.nextInt(4) == 0 ? null : "v" + random.nextInt(50));
            }
            entryOffsets[i + 1] = keys.size();
            if (entries == 0 && random.nextInt(3) == 0) {
                mapNulls.set(i);
            }
        }
        vectors = List.of(
                StringVector.of(tenant),
                new LongVector(ts),
                new MapVector(
                        entryOffsets,
                        StringVector.of(keys.toArray(String[]::new)),
                        StringVector.of(values.toArray(String[]::new)),
                        rows,
                        mapNulls),
                StringVector.of(level),
                StringVector.of(trace),
                StringVector.of(message),
                new LongVector(latency, rows, latencyNulls),
                new DoubleVector(ratio, rows, ratioNulls),
                new BooleanVector(fail, rows, failNulls),
                new LongVector(offset),
                StringVector.of(note));
    }

    private static String message(Random random) {
        StringBuilder text = new StringBuilder();
        int words = 1 + random.nextInt(8);
        for (int w = 0; w < words; w++) {
            text.append(w == 0 ? "" : random.nextBoolean() ? " " : "=");
            text.append(
                    random.nextInt(4) == 0
                            ? Integer.toString(random.nextInt(100_000))
                            : WORDS.get(random.nextInt(WORDS.size())));
        }
        return text.toString();
    }

    public Vector vector(Column column) {
        return SCHEMA.column(column.fieldId()).isPresent()
                ? vectors.get(SCHEMA.indexOf(column.name()))
                : Vectors.allNull(column.type(), rows);
    }

    public long time(int row) {
        return ((LongVector) vector(TS)).values()[row];
    }

    public byte[] write(LogBlockOptions options) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (LogBlockWriter writer = new LogBlockWriter(out, SCHEMA, options)) {
            int from = 0;
            for (int batch = 1; from < rows; batch = batch * 3 + 1) {
                int first = from;
                int count = Math.min(batch, rows - from);
                writer.append(
                        vectors.stream()
                                .map(vector -> Vectors.slice(vector, first, count))
                                .toList(),
                        count);
                from += count;
            }
            writer.finish();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }
}
