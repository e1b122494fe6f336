package io.cordwood.logblock.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.logblock.parquet.ParquetSchema;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.LogBlockOptions;
import io.cordwood.logblock.testing.SampleRows;
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
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** DuckDB, which knows nothing of LogBlocks, reads one as the Parquet file that it is. */
class ParquetInteropTest {
    @TempDir
    private Path directory;

    private final SampleRows sample = new SampleRows(21, 3000);
    private Path file;
    private Connection duckDb;

    @BeforeEach
    void write() throws Exception {
        file = Files.write(directory.resolve("block.parquet"), sample.write(SampleRows.SMALL_BLOCKS));
        duckDb = DriverManager.getConnection("jdbc:duckdb:");
    }

    @AfterEach
    void close() throws SQLException {
        duckDb.close();
    }

    @Test
    void typesAreThoseOfTheColumns() throws SQLException {
        for (Column column : SampleRows.SCHEMA.columns()) {
            assertThat(query("typeof(%s)".formatted(name(column))))
                    .as(column.name())
                    .hasSize(sample.rows)
                    .containsOnly(
                            switch (column.type()) {
                                case TIMESTAMP -> "TIMESTAMP WITH TIME ZONE";
                                case MAP -> "MAP(VARCHAR, VARCHAR)";
                                case VARCHAR, BIGINT, DOUBLE, BOOLEAN ->
                                    column.type().name();
                            });
        }
    }

    @Test
    void everyValueIsRead() throws SQLException {
        assertEveryValueIsRead();
    }

    @Test
    void everyValueOfTheDenseLayoutIsRead() throws Exception {
        Files.write(file, sample.write(LogBlockOptions.DENSE));
        assertEveryValueIsRead();
    }

    private void assertEveryValueIsRead() throws SQLException {
        for (Column column : SampleRows.SCHEMA.columns()) {
            List<Object> expected = LogBlockTest.values(sample.vector(column), LogBlockTest.range(sample.rows));
            String name = name(column);
            List<Object> found = switch (column.type()) {
                case TIMESTAMP -> query("epoch_us(%s)".formatted(name));
                case MAP ->
                    query(
                            "'[' || array_to_string(list_transform(map_entries(%s), lambda e: e.key || '=' || coalesce(e.value, 'null')), ', ') || ']'"
                                    .formatted(name));
                case VARCHAR, BIGINT, DOUBLE, BOOLEAN -> query(name);
            };
            assertThat(found.stream().map(String::valueOf).toList())
                    .as(column.name())
                    .isEqualTo(expected.stream().map(String::valueOf).toList());
        }
    }

    /** Of others, DELTA_LENGTH_BYTE_ARRAY say, Iceberg 1.10 in Spark makes an error. */
    @Test
    void encodingsAreThoseThatReadersInUseKnow() throws SQLException {
        Map<String, Set<String>> encodings = new HashMap<>();
        try (Statement statement = duckDb.createStatement();
                ResultSet columns =
                        statement.executeQuery("SELECT type, encodings FROM parquet_metadata('%s')".formatted(file))) {
            while (columns.next()) {
                encodings
                        .computeIfAbsent(columns.getString(1), any -> new TreeSet<>())
                        .addAll(List.of(columns.getString(2).split(", ")));
            }
        }
        assertThat(encodings.get("BYTE_ARRAY")).containsExactlyInAnyOrder("PLAIN", "RLE", "RLE_DICTIONARY");
        assertThat(Set.of("PLAIN", "RLE", "RLE_DICTIONARY", "DELTA_BINARY_PACKED"))
                .containsAll(encodings.get("INT64"))
                .containsAll(encodings.get("DOUBLE"))
                .containsAll(encodings.get("BOOLEAN"));
    }

    private static String name(Column column) {
        return '"' + ParquetSchema.name(column.name()) + '"';
    }

    private List<Object> query(String expression) throws SQLException {
        try (Statement statement = duckDb.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT %s FROM read_parquet('%s', file_row_number = true) ORDER BY file_row_number"
                                .formatted(expression, file))) {
            List<Object> values = new ArrayList<>();
            while (rows.next()) {
                values.add(rows.getObject(1));
            }
            return values;
        }
    }
}
