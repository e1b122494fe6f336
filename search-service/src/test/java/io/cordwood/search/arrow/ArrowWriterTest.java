package io.cordwood.search.arrow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.vector.BooleanVector;
import io.cordwood.logblock.vector.DoubleVector;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.MapVector;
import io.cordwood.logblock.vector.NullMask;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.types.Types.MinorType;
import org.apache.arrow.vector.types.pojo.Schema;

/** What {@link ArrowWriter} writes, read by Arrow's own library. */
class ArrowWriterTest {
    private static final List<ArrowColumn> COLUMNS = Stream.of(ColumnType.values())
            .map(type -> new ArrowColumn(type.name().toLowerCase(Locale.ROOT), type))
            .toList();

    private record ReadStream(Schema schema, List<List<Object>> rows) {}

    @Property(tries = 200)
    void arrowReadsAllTypes(@ForAll long seed, @ForAll @IntRange(max = 200) int rows) throws IOException {
        Random random = new Random(seed);
        List<List<Object>> expected = new ArrayList<>();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ArrowWriter writer = new ArrowWriter(bytes, COLUMNS, Map.of("after", "cursor"));
        for (int batch = random.nextInt(3); batch >= 0; batch--) {
            List<Vector> vectors = new ArrayList<>();
            List<List<Object>> columns = new ArrayList<>();
            for (ArrowColumn column : COLUMNS) {
                List<Object> values = values(column.type(), rows, random);
                columns.add(values);
                vectors.add(vector(column.type(), values, random));
            }
            writer.write(vectors);
            for (int row = 0; row < rows; row++) {
                List<Object> values = new ArrayList<>();
                for (List<Object> column : columns) {
                    values.add(column.get(row));
                }
                expected.add(values);
            }
        }
        writer.end();
        ReadStream read = read(bytes.toByteArray());
        assertThat(read.rows()).isEqualTo(expected);
        assertThat(read.schema().getCustomMetadata()).containsExactly(Map.entry("after", "cursor"));
    }

    @Example
    void aStreamWithoutRowsHasItsSchema() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new ArrowWriter(bytes, COLUMNS, Map.of()).end();
        ReadStream read = read(bytes.toByteArray());
        assertThat(read.rows()).isEmpty();
        assertThat(read.schema().getFields())
                .extracting(field -> field.getName() + " " + field.getType())
                .containsExactly(
                        "varchar Utf8",
                        "bigint Int(64, true)",
                        "double FloatingPoint(DOUBLE)",
                        "boolean Bool",
                        "timestamp Timestamp(MICROSECOND, UTC)",
                        "map Map(false)");
    }

    private static ReadStream read(byte[] stream) throws IOException {
        List<List<Object>> rows = new ArrayList<>();
        try (RootAllocator allocator = new RootAllocator();
                ArrowStreamReader reader = new ArrowStreamReader(new ByteArrayInputStream(stream), allocator)) {
            VectorSchemaRoot root = reader.getVectorSchemaRoot();
            Schema schema = root.getSchema();
            while (reader.loadNextBatch()) {
                for (FieldVector vector : root.getFieldVectors()) {
                    // Arrow's validation refuses each map whose keys are not sorted
                    if (vector.getMinorType() != MinorType.MAP) {
                        vector.validateFull();
                    }
                }
                for (int row = 0; row < root.getRowCount(); row++) {
                    List<Object> values = new ArrayList<>();
                    for (FieldVector vector : root.getFieldVectors()) {
                        values.add(plain(vector.getObject(row)));
                    }
                    rows.add(values);
                }
            }
            return new ReadStream(schema, rows);
        }
    }

    /** A value of Arrow's library as {@link #values} makes it. */
    private static Object plain(Object value) {
        return switch (value) {
            case null -> null;
            case List<?> entries -> {
                Map<String, Object> map = new LinkedHashMap<>();
                for (Object entry : entries) {
                    Map<?, ?> pair = (Map<?, ?>) entry;
                    map.put(pair.get("key").toString(), plain(pair.get("value")));
                }
                yield map;
            }
            case Number number -> number;
            case Boolean bool -> bool;
            default -> value.toString();
        };
    }

    private static List<Object> values(ColumnType type, int rows, Random random) {
        int nulls = random.nextInt(3);
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            values.add(
                    nulls > 0 && random.nextInt(nulls * 3) == 0
                            ? null
                            : switch (type) {
                                case VARCHAR -> text(random);
                                case BIGINT, TIMESTAMP -> random.nextLong();
                                case DOUBLE -> random.nextGaussian();
                                case BOOLEAN -> random.nextBoolean();
                                case MAP -> map(random);
                            });
        }
        return values;
    }

    private static String text(Random random) {
        return "é€𝄞".repeat(random.nextInt(3)) + "x".repeat(random.nextInt(20));
    }

    private static Map<String, Object> map(Random random) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            map.put("key" + i, random.nextInt(4) == 0 ? null : text(random));
        }
        return map;
    }

    private static Vector vector(ColumnType type, List<Object> values, Random random) {
        NullMask nulls = new NullMask(values.size());
        for (int i = 0; i < values.size(); i++) {
            if (values.get(i) == null) {
                nulls.set(i);
            }
        }
        int length = values.size();
        return switch (type) {
            case VARCHAR -> random.nextBoolean() ? dictionary(values, nulls) : plainText(values);
            case BIGINT, TIMESTAMP ->
                new LongVector(
                        values.stream()
                                .mapToLong(value -> value == null ? 7 : (long) value)
                                .toArray(),
                        length,
                        nulls);
            case DOUBLE ->
                new DoubleVector(
                        values.stream()
                                .mapToDouble(value -> value == null ? 7 : (double) value)
                                .toArray(),
                        length,
                        nulls);
            case BOOLEAN -> {
                boolean[] booleans = new boolean[length];
                for (int i = 0; i < length; i++) {
                    booleans[i] = values.get(i) != null && (boolean) values.get(i);
                }
                yield new BooleanVector(booleans, length, nulls);
            }
            case MAP -> {
                int[] offsets = new int[length + 1];
                List<Object> keys = new ArrayList<>();
                List<Object> entries = new ArrayList<>();
                for (int i = 0; i < length; i++) {
                    if (values.get(i) instanceof Map<?, ?> map) {
                        keys.addAll(map.keySet());
                        entries.addAll(map.values());
                    }
                    offsets[i + 1] = keys.size();
                }
                yield new MapVector(offsets, plainText(keys), plainText(entries), length, nulls);
            }
        };
    }

    private static StringVector plainText(List<Object> values) {
        return StringVector.of(values.stream().map(value -> (String) value).toArray(String[]::new));
    }

    /** Slots in another order than the positions, and some that no position has. */
    private static StringVector dictionary(List<Object> values, NullMask nulls) {
        if (values.isEmpty()) {
            return plainText(values);
        }
        List<String> slots = new ArrayList<>(List.of("unused"));
        values.stream().filter(value -> value != null).distinct().forEach(value -> slots.add((String) value));
        Collections.reverse(slots);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int[] offsets = new int[slots.size() + 1];
        for (int i = 0; i < slots.size(); i++) {
            bytes.writeBytes(slots.get(i).getBytes(UTF_8));
            offsets[i + 1] = bytes.size();
        }
        int[] ids = values.stream()
                .mapToInt(value -> Math.max(0, slots.indexOf(value)))
                .toArray();
        return new StringVector(bytes.toByteArray(), offsets, ids, values.size(), nulls);
    }
}
