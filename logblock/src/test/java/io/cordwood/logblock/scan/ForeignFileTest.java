package io.cordwood.logblock.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.logblock.io.LogBlockException;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.match.MatchQuery;
import io.cordwood.logblock.parquet.ParquetSchema;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnNames;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.testing.BytesReader;
import io.cordwood.logblock.testing.SampleRows;
import io.cordwood.logblock.vector.DecodedCache;
import io.cordwood.logblock.vector.Vector;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Util;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Parquet files that other programs wrote, read as LogBlocks and held against what DuckDB reads of them. Those in the
 * resources are of pyarrow: src/test/python/foreign_files.py.
 */
class ForeignFileTest {
    @TempDir
    private Path directory;

    private Connection duckDb;

    @BeforeEach
    void connect() throws SQLException {
        duckDb = DriverManager.getConnection("jdbc:duckdb:");
    }

    @AfterEach
    void close() throws SQLException {
        duckDb.close();
    }

    static Stream<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(resource(""))) {
            // Of times in nanoseconds DuckDB makes none in microseconds
            return files
                    .filter(file -> !file.toString().contains("no-field-ids")
                            && !file.toString().contains("nanos"))
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    private static Path resource(String name) {
        try {
            return Path.of(Objects.requireNonNull(ForeignFileTest.class.getResource("foreign"), "no files")
                            .toURI())
                    .resolve(name);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void everyValueIsRead(Path file) throws Exception {
        requireValues(file);
    }

    @ParameterizedTest
    @MethodSource("files")
    void conditionsAreTestedOnValues(Path file) throws Exception {
        try (LogBlock block = open(file)) {
            List<Object> messages = values(block, SampleRows.MESSAGE);
            List<Object> levels = values(block, SampleRows.LEVEL);
            List<Object> latencies = values(block, SampleRows.LATENCY);
            List<Object> times = values(block, SampleRows.TS);
            long middle = (long) times.get(times.size() / 2);
            for (ReadOptions options : SampleRows.ALL_OPTIONS) {
                requireRows(
                        block,
                        new io.cordwood.logblock.predicate.Predicate.Match(
                                SampleRows.MESSAGE, MatchQuery.parse("timeout größe")),
                        options,
                        row -> messages.get(row) != null
                                && messages.get(row).toString().contains("Größe"));
                requireRows(
                        block,
                        in(SampleRows.LEVEL, "ERROR", "ERROR"),
                        options,
                        row -> Objects.equals(levels.get(row), "ERROR"));
                requireRows(
                        block,
                        new io.cordwood.logblock.predicate.Predicate.IsNull(SampleRows.LEVEL),
                        options,
                        row -> levels.get(row) == null);
                requireRows(
                        block,
                        in(SampleRows.LATENCY, 100L, 20_000L),
                        options,
                        row -> latencies.get(row) != null
                                && (long) latencies.get(row) >= 100
                                && (long) latencies.get(row) <= 20_000);
                requireRows(
                        block,
                        in(SampleRows.TS, middle, Long.MAX_VALUE),
                        options,
                        row -> (long) times.get(row) >= middle);
                // A column that was added later
                requireRows(
                        block,
                        new io.cordwood.logblock.predicate.Predicate.IsNull(SampleRows.NOTE),
                        options,
                        row -> true);
            }
        }
    }

    /** Towards the past, as Iceberg's own readers do: src/test/python/foreign_files.py says which digits there are. */
    @ParameterizedTest
    @ValueSource(strings = {"nanos.parquet", "int96.parquet"})
    void digitsBeyondMicrosecondsAreCutOff(String name) throws Exception {
        try (LogBlock block = open(resource(name));
                LogBlock micros = open(resource("none-plain-pages1-5000.parquet"))) {
            List<Object> times = values(micros, SampleRows.TS);
            List<Object> expected = new ArrayList<>();
            for (int i = 0; i < times.size(); i++) {
                expected.add(i % 9 == 0 ? Math.floorDiv(-i * 1_234_567L, 1000) : times.get(i));
            }
            assertThat(values(block, SampleRows.TS)).isEqualTo(expected);
            assertThat(values(block, SampleRows.MESSAGE)).isEqualTo(values(micros, SampleRows.MESSAGE));
        }
    }

    private static io.cordwood.logblock.predicate.Predicate in(Column column, Object low, Object high) {
        return new io.cordwood.logblock.predicate.Predicate.In(
                column,
                List.of(new io.cordwood.logblock.predicate.Predicate.ValueRange(
                        Optional.of(low), true, Optional.of(high), true)));
    }

    private static void requireRows(
            LogBlock block,
            io.cordwood.logblock.predicate.Predicate predicate,
            ReadOptions options,
            Predicate<Integer> holds)
            throws IOException {
        int[] expected = IntStream.range(0, block.rowCount())
                .filter(row -> holds.test(row))
                .toArray();
        int[] found = block.scan(block.rows(), predicate, ScanDirection.ALL, options, new ReadMetrics())
                .all()
                .toArray();
        assertThat(found).as("%s", predicate).isEqualTo(expected);
    }

    /** Row groups and pages as large as DuckDB makes them, and values of every kind. */
    @ParameterizedTest
    @CsvSource({
        "uncompressed, V1, 2048", "snappy, V1, 100000", "snappy, V2, 2048",
        "gzip, V2, 100000", "zstd, V2, 2048", "lz4_raw, V1, 4096"
    })
    void whatDuckDbWroteIsRead(String codec, String version, int rowGroup) throws Exception {
        Path block =
                Files.write(directory.resolve("block.parquet"), new SampleRows(5, 9000).write(SampleRows.SMALL_BLOCKS));
        Path file = directory.resolve("rewritten.parquet");
        List<String> ids = new ArrayList<>();
        for (Column column : SampleRows.SCHEMA.columns()) {
            ids.add(
                    column.type() == ColumnType.MAP
                            ? "%s: {__duckdb_field_id: %d, key: %d, value: %d}"
                                    .formatted(
                                            name(column), column.fieldId(), column.keyFieldId(), column.valueFieldId())
                            : "%s: %d".formatted(name(column), column.fieldId()));
        }
        try (Statement statement = duckDb.createStatement()) {
            statement.execute(
                    "COPY (FROM read_parquet('%s') ORDER BY hash(_kafka_offset)) TO '%s' (FORMAT parquet, CODEC '%s', PARQUET_VERSION '%s', ROW_GROUP_SIZE %d, FIELD_IDS {%s})"
                            .formatted(block, file, codec, version, rowGroup, String.join(", ", ids)));
        }
        requireValues(file);
    }

    @Test
    void whatCannotBeReadSaysWhy() throws Exception {
        try (LogBlock block = open(withCodec(resource("none-plain-pages1-5000.parquet"), CompressionCodec.LZO))) {
            assertThatThrownBy(() -> values(block, SampleRows.LEVEL))
                    .isInstanceOf(LogBlockException.class)
                    .hasMessageContaining("column 'level' is compressed with LZO")
                    .hasMessageContaining("rewrite the file with zstd, snappy, gzip, lz4 or brotli");
        }
        assertThatThrownBy(() -> open(resource("no-field-ids.parquet")))
                .isInstanceOf(LogBlockException.class)
                .hasMessageContaining("columns have no field ids: rewrite it")
                .hasMessageContaining("schema.name-mapping.default");
        assertThatThrownBy(() -> open(resource("no-field-ids.parquet"), new ColumnNames(Map.of("no such", 4))))
                .hasMessageContaining("the table's name mapping lacks their names");
    }

    /** Recursion that went as deep would take a whole process with it. */
    @Test
    void groupsThatLieDeepInEachOtherAreRefused() throws Exception {
        byte[] file = changed(resource("none-plain-pages1-5000.parquet"), footer -> {
            for (int i = 0; i < 100_000; i++) {
                SchemaElement group = new SchemaElement("group");
                group.setRepetition_type(FieldRepetitionType.REQUIRED);
                group.setNum_children(1);
                footer.getSchema().add(group);
            }
            footer.getSchema()
                    .getFirst()
                    .setNum_children(footer.getSchema().getFirst().getNum_children() + 1);
        });
        assertThatThrownBy(() -> open(file))
                .isInstanceOf(LogBlockException.class)
                .hasMessageContaining("schema has nested groups, more than 64 deep");
    }

    private static byte[] withCodec(Path file, CompressionCodec codec) throws IOException {
        return changed(
                file,
                footer -> footer.getRow_groups()
                        .forEach(group -> group.getColumns()
                                .forEach(column -> column.getMeta_data().setCodec(codec))));
    }

    private static byte[] changed(Path file, Consumer<FileMetaData> change) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        int length = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(bytes.length - 8);
        int start = bytes.length - 8 - length;
        FileMetaData footer = Util.readFileMetaData(new ByteArrayInputStream(bytes, start, length));
        change.accept(footer);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(bytes, 0, start);
        Util.writeFileMetaData(footer, out);
        ByteBuffer end = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putInt(out.size() - start);
        out.writeBytes(end.put(bytes, bytes.length - 4, 4).array());
        return out.toByteArray();
    }

    /** As Spark writes by itself: LZ4 in Hadoop's frames, times as INT96; and as nobody but Iceberg writes, no ids. */
    @Test
    void filesWithoutFieldIdsAreReadByName() throws Exception {
        Map<String, Integer> ids = new HashMap<>();
        for (Column column : SampleRows.SCHEMA.columns()) {
            ids.put(ParquetSchema.name(column.name()), column.fieldId());
            if (column.type() == ColumnType.MAP) {
                ids.put(ColumnNames.nested(column.name(), ColumnNames.KEY), column.keyFieldId());
                ids.put(ColumnNames.nested(column.name(), ColumnNames.VALUE), column.valueFieldId());
            }
        }
        ids.remove("level");
        try (LogBlock block = open(resource("spark-lz4hadoop-int96-no-field-ids.parquet"), new ColumnNames(ids));
                LogBlock same = open(resource("none-plain-pages1-5000.parquet"))) {
            assertThat(block.contains(SampleRows.LEVEL)).isFalse();
            for (Column column : SampleRows.SCHEMA.columns()) {
                if (!column.equals(SampleRows.LEVEL)) {
                    assertThat(values(block, column)).as(column.name()).isEqualTo(values(same, column));
                }
            }
        }
        // Whoever has ids is read by them
        try (LogBlock block = open(resource("none-plain-pages1-5000.parquet"), new ColumnNames(Map.of("level", 6)))) {
            assertThat(block.contains(SampleRows.LEVEL)).isTrue();
        }
    }

    /** Bytes changed here and there: an error that names the file, or other values, and never anything else. */
    @Test
    void damageIsAnErrorAndNothingElse() throws Exception {
        byte[] sound = Files.readAllBytes(resource("gzip-delta-pages2-170.parquet"));
        for (int at = 4; at < sound.length - 8; at += 37) {
            byte[] bytes = sound.clone();
            bytes[at] ^= 0x55;
            try (LogBlock block = LogBlock.open(new BytesReader(bytes), new ReadMetrics())) {
                for (Column column : SampleRows.SCHEMA.columns()) {
                    values(block, column);
                }
            } catch (LogBlockException expected) {
                assertThat(expected).hasMessageStartingWith("memory");
            }
        }
    }

    private void requireValues(Path file) throws Exception {
        try (LogBlock block = open(file)) {
            assertThat(block.isOrdered()).isFalse();
            assertThat(block.hasIndex()).isFalse();
            for (Column column : SampleRows.SCHEMA.columns()) {
                if (block.contains(column)) {
                    assertThat(values(block, column).stream().map(String::valueOf))
                            .as(column.name())
                            .containsExactlyElementsOf(expected(file, column));
                } else {
                    assertThat(values(block, column)).containsOnlyNulls();
                }
            }
        }
    }

    private static LogBlock open(Path file) throws IOException {
        return open(Files.readAllBytes(file));
    }

    private static LogBlock open(byte[] file) throws IOException {
        return LogBlock.open(new BytesReader(file), new ReadMetrics());
    }

    private static LogBlock open(Path file, ColumnNames names) throws IOException {
        return LogBlock.open(new BytesReader(Files.readAllBytes(file)), new ReadMetrics(), DecodedCache.NONE, names);
    }

    /** All values, read some at a time: batches begin and end within pages. */
    private static List<Object> values(LogBlock block, Column column) throws IOException {
        int[] rows = LogBlockTest.range(block.rowCount());
        ColumnCursor cursor = block.cursor(column, new ReadMetrics());
        List<Object> values = new ArrayList<>();
        for (int from = 0; from < rows.length; from += 77) {
            Vector batch = cursor.read(rows, from, Math.min(77, rows.length - from));
            values.addAll(LogBlockTest.values(batch, LogBlockTest.range(batch.length())));
        }
        return values;
    }

    private List<String> expected(Path file, Column column) throws SQLException {
        String name = name(column);
        String expression = switch (column.type()) {
            case TIMESTAMP -> "epoch_us(%s)".formatted(name);
            case DOUBLE -> "%s::DOUBLE".formatted(name);
            case MAP ->
                "'[' || array_to_string(list_transform(map_entries(%s), lambda e: e.key || '=' || coalesce(e.value, 'null')), ', ') || ']'"
                        .formatted(name);
            case VARCHAR, BIGINT, BOOLEAN -> name;
        };
        List<String> values = new ArrayList<>();
        try (Statement statement = duckDb.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT %s FROM read_parquet('%s', file_row_number = true) ORDER BY file_row_number"
                                .formatted(expression, file))) {
            while (rows.next()) {
                values.add(String.valueOf(rows.getObject(1)));
            }
        }
        return values;
    }

    private static String name(Column column) {
        return '"' + ParquetSchema.name(column.name()) + '"';
    }
}
