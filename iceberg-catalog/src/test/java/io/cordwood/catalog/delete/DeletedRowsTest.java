package io.cordwood.catalog.delete;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.io.LocalFileIO;
import io.cordwood.catalog.table.LogBlockNames;
import io.cordwood.catalog.table.PartitionId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.deletes.BaseDVFileWriter;
import org.apache.iceberg.deletes.DVFileWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeletedRowsTest {
    private static final LocalFileIO IO = new LocalFileIO();

    @TempDir
    private Path folder;

    @Test
    void rowsAreSortedAndOnce() {
        DeletedRows rows = DeletedRows.of(7, 3, 7, 0);
        assertThat(rows.toArray()).containsExactly(0, 3, 7);
        assertThat(rows.and(DeletedRows.of(3, 9))).isEqualTo(DeletedRows.of(0, 3, 7, 9));
        assertThat(rows.contains(3)).isTrue();
        assertThat(rows.contains(4)).isFalse();
        assertThat(DeletedRows.of().isEmpty()).isTrue();
    }

    @Test
    void whatIsWrittenIsRead() throws IOException {
        String table = LocalFileIO.location(folder.resolve("table"));
        PartitionId partition = new PartitionId("topic", 1);
        String first = LogBlockNames.newLocation(table, 20_000, partition, 0, 10);
        String second = LogBlockNames.newLocation(table, 20_000, partition, 10, 20);
        String nextDay = LogBlockNames.newLocation(table, 20_001, partition, 10, 20);
        String others = table + "/data/day=2024-10-04/00000-0-rewritten.parquet";
        DeletedRows many =
                DeletedRows.of(IntStream.range(0, 1_500_000).map(row -> row * 2).toArray());
        Map<String, DeletedRows> rows = Map.of(
                first, DeletedRows.of(3, 5), second, many, nextDay, DeletedRows.of(0), others, DeletedRows.of(1));

        List<WrittenDeletes> written = PositionDeleteWriter.write(rows, table, IO);

        assertThat(written)
                .extracting(file -> file.dataFiles().size())
                .as("few LogBlocks of a day have a file each")
                .containsExactlyInAnyOrder(1, 1, 1, 1);
        for (WrittenDeletes file : written) {
            Path path = LocalFileIO.path(file.location());
            assertThat(path).startsWith(folder.resolve("table")).hasSize(file.sizeInBytes());
            for (String dataFile : file.dataFiles()) {
                DeletedRows read = DeletedRows.of(dataFile, List.of(deleteFile(path, file.rowCount())), IO);
                assertThat(read).isEqualTo(rows.get(dataFile));
            }
            assertThat(DeletedRows.of("another", List.of(deleteFile(path, file.rowCount())), IO))
                    .isEqualTo(DeletedRows.NONE);
        }
    }

    @Test
    void manyLogBlocksOfADayShareAFile() throws IOException {
        String table = LocalFileIO.location(folder.resolve("table"));
        PartitionId partition = new PartitionId("topic", 1);
        Map<String, DeletedRows> rows = new HashMap<>();
        for (int i = 0; i < 17; i++) {
            rows.put(LogBlockNames.newLocation(table, 20_000, partition, i, i + 1), DeletedRows.of(i, 100));
            if (i < 16) {
                rows.put(LogBlockNames.newLocation(table, 20_001, partition, i, i + 1), DeletedRows.of(i));
            }
        }
        List<WrittenDeletes> written = PositionDeleteWriter.write(rows, table, IO);
        assertThat(written)
                .extracting(file -> file.dataFiles().size())
                .contains(17)
                .hasSize(1 + 16);
        for (WrittenDeletes file : written) {
            for (String dataFile : file.dataFiles()) {
                DeleteFile deletes = deleteFile(LocalFileIO.path(file.location()), file.rowCount());
                assertThat(DeletedRows.of(dataFile, List.of(deletes), IO)).isEqualTo(rows.get(dataFile));
            }
        }
    }

    @Test
    void othersReadWhatIsWritten() throws IOException, SQLException {
        String table = LocalFileIO.location(folder.resolve("table"));
        WrittenDeletes written = PositionDeleteWriter.write(Map.of("b", DeletedRows.of(5, 3)), table, IO)
                .getFirst();
        try (Connection duckDb = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = duckDb.createStatement();
                ResultSet rows = statement.executeQuery("SELECT string_agg(file_path || ':' || pos, ',') FROM '%s'"
                        .formatted(LocalFileIO.path(written.location())))) {
            rows.next();
            assertThat(rows.getString(1)).isEqualTo("b:3,b:5");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "zstd, V1, true",
        "snappy, V1, true",
        "gzip, V1, true",
        "uncompressed, V1, true",
        "zstd, V2, true",
        "snappy, V2, true",
        "snappy, V1, false"
    })
    void readsWhatOthersWrite(String codec, String version, boolean withFieldIds) throws SQLException {
        Path file = folder.resolve("deletes.parquet");
        String fieldIds = withFieldIds ? ", FIELD_IDS {file_path: 2147483546, pos: 2147483545}" : "";
        try (Connection duckDb = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = duckDb.createStatement()) {
            // The deleted row itself may stand there too, as the specification allows
            statement.execute(
                    "COPY (SELECT {'x': i, 'y': 'text'} AS row, 'file-' || (i // 50000) AS file_path, (i * 7) %% 50000 AS pos FROM range(200000) t(i) WHERE i %% 3 = 0) TO '%s' (FORMAT PARQUET, CODEC '%s', PARQUET_VERSION %s%s, ROW_GROUP_SIZE 30000)"
                            .formatted(file, codec, version, fieldIds));
        }
        DeletedRows read = DeletedRows.of("file-1", List.of(deleteFile(file, 66_667)), IO);
        int[] expected = IntStream.range(50_000, 100_000)
                .filter(i -> i % 3 == 0)
                .map(i -> i * 7 % 50_000)
                .toArray();
        assertThat(read).isEqualTo(DeletedRows.of(expected));
    }

    // What replaces it wants a table
    @SuppressWarnings("deprecation")
    @Test
    void readsDeletionVectors() throws IOException {
        Path file = folder.resolve("vectors.puffin");
        DVFileWriter writer = new BaseDVFileWriter(() -> IO.newOutputFile(LocalFileIO.location(file)), path -> null);
        try (writer) {
            for (long row : new long[] {4, 900_000, 2}) {
                writer.delete("data-a", row, PartitionSpec.unpartitioned(), null);
            }
            writer.delete("data-b", 1, PartitionSpec.unpartitioned(), null);
        }
        DeleteFile vector = writer.result().deleteFiles().stream()
                .filter(each -> each.referencedDataFile().equals("data-a"))
                .findFirst()
                .orElseThrow();
        assertThat(DeletedRows.of("data-a", List.of(vector), IO)).isEqualTo(DeletedRows.of(2, 4, 900_000));
    }

    @Test
    void saysWhatCannotBeRead() throws IOException {
        DeleteFile equality = FileMetadata.deleteFileBuilder(PartitionSpec.unpartitioned())
                .ofEqualityDeletes(1)
                .withFormat(FileFormat.PARQUET)
                .withPath("file:///w/eq.parquet")
                .withFileSizeInBytes(10)
                .withRecordCount(1)
                .build();
        assertThatThrownBy(() -> DeletedRows.of("a", List.of(equality), IO))
                .isInstanceOf(UnreadableDeletesException.class)
                .hasMessageContaining("file:///w/eq.parquet")
                .hasMessageContaining("equality deletes");

        String table = LocalFileIO.location(folder.resolve("table"));
        WrittenDeletes written = PositionDeleteWriter.write(Map.of("b", DeletedRows.of(5, 3)), table, IO)
                .getFirst();
        Path path = LocalFileIO.path(written.location());
        byte[] bytes = Files.readAllBytes(path);
        for (int at = 0; at < bytes.length; at++) {
            byte[] damaged = bytes.clone();
            damaged[at] ^= 0x55;
            Files.write(path, damaged);
            assertReadsOrSaysWhy(path);
        }
        Files.delete(path);
        assertThatThrownBy(() -> DeletedRows.of("b", List.of(deleteFile(path, 2, bytes.length)), IO))
                .isInstanceOf(UnreadableDeletesException.class);
    }

    private static void assertReadsOrSaysWhy(Path path) throws IOException {
        try {
            DeletedRows.of("b", List.of(deleteFile(path, 2)), IO);
        } catch (UnreadableDeletesException e) {
            assertThat(e).hasMessageContaining(path.getFileName().toString());
        }
    }

    private static DeleteFile deleteFile(Path file, long rows) {
        return deleteFile(file, rows, file.toFile().length());
    }

    private static DeleteFile deleteFile(Path file, long rows, long size) {
        return FileMetadata.deleteFileBuilder(PartitionSpec.unpartitioned())
                .ofPositionDeletes()
                .withFormat(FileFormat.PARQUET)
                .withPath(LocalFileIO.location(file))
                .withFileSizeInBytes(size)
                .withRecordCount(rows)
                .build();
    }
}
