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
 * A delete file. It deletes rows by data file and position, as Parquet or as a deletion vector, or by the values of
 * some columns, as upserting programs do. Its content never changes. Immutable, thread-safe.
 *
 * @param location location of the file
 * @param sizeInBytes length of the file
 * @param rowCount number of deleted rows; for deletes by values, number of values
 * @param vector position of the deletion vector in the file; empty for Parquet
 * @param keys columns by whose values rows are deleted; empty for deletes by position
 */
public record RowDeleteFile(
        String location, long sizeInBytes, long rowCount, Optional<Vector> vector, List<Column> keys) {
    private static final String REWRITE = "rewrite the table's data files with the program that deleted the rows";

    /**
     * A deletion vector in a Puffin file.
     *
     * @param offset first byte
     * @param length number of bytes
     * @param dataFile data file whose rows it deletes
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
     * Converts Iceberg's description of a file that deletes by position or by values.
     *
     * @param columns present and former columns of the table, by field id
     * @throws UnreadableDeletesException if it is of an unsupported kind: a format other than Parquet, or values of a
     *     type that no LogBlock has
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
                                "deletes rows by the values of field %d, which no schema of the table has, or of an unsupported type: %s"
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
     * Converts Iceberg's description of a file that deletes by position.
     *
     * @throws UnreadableDeletesException if it is of an unsupported kind: equality deletes, or a format other than
     *     Parquet
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
     * Reads the deleted rows of each data file, by its location, from a file that deletes by position.
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
     * Reads the values from a file that deletes by values.
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

    /** Iceberg's own reader compares the file with its manifest entry. */
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
