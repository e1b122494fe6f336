package io.cordwood.catalog.delete;

import static java.util.Objects.requireNonNull;

import io.cordwood.catalog.io.InputFileReader;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.scan.LogBlock;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.exceptions.RuntimeIOException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.RangeReadable;
import org.apache.iceberg.io.SeekableInputStream;

/**
 * A delete file: it tells deleted rows by data file and position, be it Parquet or a deletion vector, or by the values
 * of some columns, as programs that upsert do. What it says never changes. Immutable, thread-safe.
 *
 * @param location of the file
 * @param sizeInBytes length of the file
 * @param rowCount how many rows it says are deleted; of values, how many values
 * @param vector where in the file the deletion vector is; empty for Parquet
 * @param keys columns by whose values rows are deleted; empty if by position
 */
public record RowDeleteFile(
        String location, long sizeInBytes, long rowCount, Optional<Vector> vector, List<Column> keys) {
    private static final String REWRITE = "rewrite the table's data files with the program that deleted the rows";

    /**
     * A deletion vector in a Puffin file.
     *
     * @param offset where it begins
     * @param length how many bytes it has
     * @param dataFile whose rows it deletes
     */
    public record Vector(long offset, int length, String dataFile) {}

    public RowDeleteFile {
        requireNonNull(location, "location is null");
        requireNonNull(vector, "vector is null");
        keys = List.copyOf(keys);
    }

    /** Whether it deletes rows by the values of columns. */
    public boolean isByValues() {
        return !keys.isEmpty();
    }

    /**
     * What Iceberg says of a file that deletes by position or by values.
     *
     * @param columns those that the table has or ever had, by field id
     * @throws UnreadableDeletesException if it is of a kind that is not read here: a format other than Parquet, or
     *     values of a type that no LogBlock has
     */
    public static RowDeleteFile of(DeleteFile file, Map<Integer, Column> columns) {
        if (file.content() == FileContent.POSITION_DELETES) {
            return of(file);
        }
        if (file.format() != FileFormat.PARQUET) {
            throw unreadable(file);
        }
        List<Column> keys = file.equalityFieldIds().stream()
                .map(id -> Optional.ofNullable(columns.get(id))
                        .filter(column -> column.type() != ColumnType.MAP)
                        .orElseThrow(() -> new UnreadableDeletesException(
                                file.location(),
                                "deletes rows by the values of field %d, which no schema of the table has, or of a type that is not read here: %s"
                                        .formatted(id, REWRITE))))
                .toList();
        return new RowDeleteFile(file.location(), file.fileSizeInBytes(), file.recordCount(), Optional.empty(), keys);
    }

    private static UnreadableDeletesException unreadable(DeleteFile file) {
        return new UnreadableDeletesException(
                file.location(),
                "is of format %s, and only Parquet and Puffin can be read: %s".formatted(file.format(), REWRITE));
    }

    /**
     * What Iceberg says of a file that deletes by position.
     *
     * @throws UnreadableDeletesException if it is of a kind that is not read here: equality deletes, or a format other
     *     than Parquet
     */
    public static RowDeleteFile of(DeleteFile file) {
        if (file.content() != FileContent.POSITION_DELETES) {
            throw new UnreadableDeletesException(
                    file.location(), "deletes rows by the values of columns (equality deletes): " + REWRITE);
        }
        Optional<Vector> vector = switch (file.format()) {
            case PARQUET -> Optional.empty();
            case PUFFIN ->
                Optional.of(new Vector(
                        file.contentOffset(), Math.toIntExact(file.contentSizeInBytes()), file.referencedDataFile()));
            default -> throw unreadable(file);
        };
        return new RowDeleteFile(file.location(), file.fileSizeInBytes(), file.recordCount(), vector, List.of());
    }

    /**
     * Reads the deleted rows of each data file, by its location, if it deletes by position.
     *
     * @throws UnreadableDeletesException if the file is damaged or cannot be read
     */
    public Map<String, DeletedRows> read(FileIO io) {
        try {
            if (vector.isEmpty()) {
                return PositionDeleteReader.read(location, bytes(io, 0, Math.toIntExact(sizeInBytes)));
            }
            Vector part = vector.get();
            PositionDeleteIndex positions =
                    PositionDeleteIndex.deserialize(bytes(io, part.offset(), part.length()), iceberg(part));
            IntStream.Builder rows = IntStream.builder();
            positions.forEach(position -> rows.add(Math.toIntExact(position)));
            return Map.of(part.dataFile(), DeletedRows.of(rows.build().toArray()));
        } catch (IOException | RuntimeIOException | NotFoundException e) {
            throw new UnreadableDeletesException(location, "cannot be read: " + e.getMessage(), e);
        } catch (UnreadableDeletesException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new UnreadableDeletesException(location, "is damaged: " + e.getMessage(), e);
        }
    }

    /**
     * Reads the values that rows are deleted by, if it deletes by values.
     *
     * @throws UnreadableDeletesException if the file is damaged or cannot be read
     */
    public DeletedKeys readKeys(FileIO io) {
        Set<List<Object>> found = new HashSet<>();
        try (LogBlock file = LogBlock.open(new InputFileReader(io.newInputFile(location)), new ReadMetrics())) {
            for (Column key : keys) {
                if (!file.contains(key)) {
                    throw new UnreadableDeletesException(
                            location, "has no column with field id %d: damaged".formatted(key.fieldId()));
                }
            }
            RowKeyReader.read(file, keys, (row, values) -> found.add(values));
            return new DeletedKeys(keys, found);
        } catch (IOException | RuntimeIOException | NotFoundException e) {
            throw new UnreadableDeletesException(location, "cannot be read: " + e.getMessage(), e);
        }
    }

    /** Iceberg's own reader wants to know what the manifest says, to compare. */
    private DeleteFile iceberg(Vector part) {
        return FileMetadata.deleteFileBuilder(PartitionSpec.unpartitioned())
                .ofPositionDeletes()
                .withFormat(FileFormat.PUFFIN)
                .withPath(location)
                .withFileSizeInBytes(sizeInBytes)
                .withRecordCount(rowCount)
                .withReferencedDataFile(part.dataFile())
                .withContentOffset(part.offset())
                .withContentSizeInBytes(part.length())
                .build();
    }

    private byte[] bytes(FileIO io, long offset, int length) throws IOException {
        try (SeekableInputStream in = io.newInputFile(location).newStream()) {
            byte[] bytes = new byte[length];
            if (in instanceof RangeReadable ranges) {
                ranges.readFully(offset, bytes);
                return bytes;
            }
            in.seek(offset);
            if (in.readNBytes(bytes, 0, length) != length) {
                throw new UnreadableDeletesException(
                        location, "ends before byte %d: damaged".formatted(offset + length));
            }
            return bytes;
        }
    }
}
