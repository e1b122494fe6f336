package io.cordwood.catalog.delete;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.catalog.table.LogBlockNames;
import io.cordwood.logblock.encoding.StringDictionary;
import io.cordwood.logblock.io.FileSink;
import io.cordwood.logblock.parquet.ColumnValues;
import io.cordwood.logblock.parquet.ParquetFileWriter;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.LogBlockOptions;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.NullMask;
import io.cordwood.logblock.vector.StringVector;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.PositionOutputStream;

/** Writes position delete files by Iceberg's specification: sorted by data file, then by row. Stateless. */
public final class PositionDeleteWriter {
    private static final int ROW_GROUP_ROWS = 1 << 20;
    /** Up to this many LogBlocks of a day have a delete file each. */
    private static final int FEW = 16;

    private static final LogBlockSchema SCHEMA = new LogBlockSchema(List.of(
            Column.of(
                            MetadataColumns.DELETE_FILE_PATH.name(),
                            MetadataColumns.DELETE_FILE_PATH.fieldId(),
                            ColumnType.VARCHAR)
                    .asRequired(),
            Column.of(
                            MetadataColumns.DELETE_FILE_POS.name(),
                            MetadataColumns.DELETE_FILE_POS.fieldId(),
                            ColumnType.BIGINT)
                    .asRequired()));

    private PositionDeleteWriter() {}

    /**
     * Writes the deleted rows of data files to new files under the table's location: one for each data file, but one
     * shared file for more than {@value #FEW} LogBlocks of the same day.
     *
     * <p>A manifest does not tell which data files a shared file is about. It applies to the whole day, so that each
     * LogBlock of the day has to be rewritten. A file for each LogBlock would cost a query one request each.
     *
     * @param rows at least one row of each data file, by its location
     * @throws IOException if a file cannot be written
     */
    public static List<WrittenDeletes> write(Map<String, DeletedRows> rows, String tableLocation, FileIO io)
            throws IOException {
        Map<String, SortedMap<String, DeletedRows>> groups = new TreeMap<>();
        // The folder of a LogBlock is its day; for other files, a folder may mix partitions
        rows.forEach((dataFile, of) -> groups.computeIfAbsent(
                        LogBlockNames.isInFolderOfDay(dataFile)
                                ? dataFile.substring(0, dataFile.lastIndexOf('/'))
                                : dataFile,
                        any -> new TreeMap<>())
                .put(dataFile, of));
        List<WrittenDeletes> written = new ArrayList<>();
        for (SortedMap<String, DeletedRows> group : groups.values()) {
            for (SortedMap<String, DeletedRows> file : group.size() > FEW ? List.of(group) : singles(group)) {
                written.add(writeFile(file, LogBlockNames.newDeletesLocation(tableLocation), io));
            }
        }
        return written;
    }

    private static List<SortedMap<String, DeletedRows>> singles(SortedMap<String, DeletedRows> group) {
        List<SortedMap<String, DeletedRows>> singles = new ArrayList<>();
        group.forEach((dataFile, rows) -> singles.add(new TreeMap<>(Map.of(dataFile, rows))));
        return singles;
    }

    private static WrittenDeletes writeFile(SortedMap<String, DeletedRows> rows, String location, FileIO io)
            throws IOException {
        long count;
        long size;
        try (PositionOutputStream out = io.newOutputFile(location).create()) {
            FileSink sink = new FileSink(out);
            ParquetFileWriter writer = new ParquetFileWriter(sink, SCHEMA, LogBlockOptions.DEFAULTS);
            writeRows(rows, writer);
            writer.finish(Map.of());
            count = writer.rowCount();
            size = sink.position();
        }
        return new WrittenDeletes(location, size, count, List.copyOf(rows.keySet()));
    }

    private static void writeRows(SortedMap<String, DeletedRows> rows, ParquetFileWriter writer) throws IOException {
        ByteArrayOutputStream paths = new ByteArrayOutputStream();
        int[] offsets = new int[rows.size() + 1];
        int path = 0;
        for (String dataFile : rows.keySet()) {
            paths.writeBytes(dataFile.getBytes(UTF_8));
            offsets[++path] = paths.size();
        }
        int[] ids = new int[ROW_GROUP_ROWS];
        long[] positions = new long[ROW_GROUP_ROWS];
        int size = 0;
        path = 0;
        for (DeletedRows of : rows.values()) {
            for (int row : of.toArray()) {
                ids[size] = path;
                positions[size++] = row;
                if (size == ROW_GROUP_ROWS) {
                    writeGroup(paths.toByteArray(), offsets, ids, positions, size, writer);
                    size = 0;
                }
            }
            path++;
        }
        if (size > 0) {
            writeGroup(paths.toByteArray(), offsets, ids, positions, size, writer);
        }
    }

    private static void writeGroup(
            byte[] paths, int[] offsets, int[] ids, long[] positions, int size, ParquetFileWriter writer)
            throws IOException {
        StringVector path = new StringVector(paths, offsets, Arrays.copyOf(ids, size), size, NullMask.none());
        LongVector position = new LongVector(Arrays.copyOf(positions, size), size, NullMask.none());
        writer.writeRowGroup(
                List.of(ColumnValues.of(path), ColumnValues.of(position)),
                List.of(StringDictionary.build(path), Optional.empty()),
                size);
    }
}
