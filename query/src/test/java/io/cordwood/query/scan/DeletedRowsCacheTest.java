package io.cordwood.query.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.delete.RowDeleteFile;
import io.cordwood.catalog.io.InputFileReader;
import io.cordwood.catalog.io.LocalFileIO;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.scan.LogBlock;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.query.binding.TableBinding;
import io.cordwood.query.plan.ScannedLogBlock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeletedRowsCacheTest {
    private static final Column LEVEL = Column.keyword("level", 3);

    @TempDir
    private Path directory;

    private final LocalFileIO files = new LocalFileIO();
    private final List<String> opened = new ArrayList<>();
    private final DeletedRowsCache cache = new DeletedRowsCache(SeenFiles::new, 32 << 20);

    @Test
    void aFileOfEqualityDeletesIsReadOnceForAllLogBlocks() throws Exception {
        RowDeleteFile infos = deletes(write("infos", "'INFO'"));
        String first = write("first", "'WARN', 'INFO', 'DEBUG', 'INFO'");
        String second = write("second", "'INFO', 'WARN'");
        assertThat(deleted(first, infos)).containsExactly(1, 3);
        assertThat(deleted(second, infos)).containsExactly(0);
        assertThat(deleted(first, infos)).containsExactly(1, 3);
        assertThat(opened).containsExactlyInAnyOrder(infos.location(), first, second);

        opened.clear();
        RowDeleteFile warnings = deletes(write("warnings", "'WARN'"));
        assertThat(deleted(first, infos, warnings)).containsExactly(0, 1, 3);
        assertThat(opened)
                .as("what is known of another delete file stays known")
                .containsExactlyInAnyOrder(warnings.location(), first);
    }

    private int[] deleted(String logBlock, RowDeleteFile... deletes) {
        ScannedLogBlock split = new ScannedLogBlock(
                logBlock, 1, 1, 0, 0, List.of(deletes), TimeRange.ALL, new TableBinding(Map.of(), Map.of()));
        return cache.deletedRows(split, true, () -> open(logBlock)).toArray();
    }

    private LogBlock open(String location) {
        try {
            return LogBlock.open(new InputFileReader(new SeenFiles().newInputFile(location)), new ReadMetrics());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static RowDeleteFile deletes(String location) throws IOException {
        return new RowDeleteFile(location, Files.size(LocalFileIO.path(location)), 1, Optional.empty(), List.of(LEVEL));
    }

    private String write(String name, String levels) throws Exception {
        Path path = directory.resolve(name + ".parquet");
        try (Connection duckDb = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = duckDb.createStatement()) {
            statement.execute("COPY (SELECT unnest([%s]) AS level) TO '%s' (FORMAT PARQUET, FIELD_IDS {level: 3})"
                    .formatted(levels, path));
        }
        return LocalFileIO.location(path);
    }

    /** Takes note of what is opened. */
    private final class SeenFiles implements FileIO {
        @Override
        public InputFile newInputFile(String location) {
            opened.add(location);
            return files.newInputFile(location);
        }

        @Override
        public OutputFile newOutputFile(String location) {
            return files.newOutputFile(location);
        }

        @Override
        public void deleteFile(String location) {
            files.deleteFile(location);
        }
    }
}
