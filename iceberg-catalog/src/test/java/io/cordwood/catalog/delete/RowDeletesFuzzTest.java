package io.cordwood.catalog.delete;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.inmemory.InMemoryFileIO;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Any bytes in place of a delete file give rows, or an error that names the file. {@code bin/test --fuzz} looks for
 * other inputs.
 */
class RowDeletesFuzzTest {
    private static final String TABLE = "s3://warehouse/acme/logs";
    private static final String LOCATION = TABLE + "/data/deletes.parquet";

    static Stream<byte[]> files() throws IOException {
        try (InMemoryFileIO io = new InMemoryFileIO()) {
            Map<String, DeletedRows> rows = Map.of(
                    TABLE + "/data/a.parquet",
                    DeletedRows.of(IntStream.range(0, 100).map(row -> 3 * row).toArray()));
            WrittenDeletes written = PositionDeleteWriter.write(rows, TABLE, io).getFirst();
            byte[] whole;
            try (var in = io.newInputFile(written.location()).newStream()) {
                whole = in.readAllBytes();
            }
            byte[] damaged = whole.clone();
            damaged[whole.length / 2]++;
            return Stream.of(whole, damaged, new byte[0]);
        }
    }

    @MethodSource("files")
    @FuzzTest
    void positionDeletes(byte[] bytes) {
        DeleteFile file = FileMetadata.deleteFileBuilder(PartitionSpec.unpartitioned())
                .ofPositionDeletes()
                .withFormat(FileFormat.PARQUET)
                .withPath(LOCATION)
                .withFileSizeInBytes(bytes.length)
                .withRecordCount(1)
                .build();
        try (InMemoryFileIO io = new InMemoryFileIO()) {
            io.addFile(LOCATION, bytes);
            RowDeleteFile.of(file).read(io);
        } catch (UnreadableDeletesException e) {
            assertThat(e).hasMessageContaining(LOCATION);
        }
    }
}
