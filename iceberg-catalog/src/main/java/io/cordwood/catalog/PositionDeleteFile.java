package io.cordwood.catalog;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
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
 * A delete file that tells deleted rows by data file and position: one of Parquet, or a deletion vector. What it says never
 * changes. Immutable, thread-safe.
 *
 * @param location of the file
 * @param sizeInBytes length of the file
 * @param rowCount how many rows it says are deleted
 * @param vector where in the file the deletion vector is; empty for Parquet
 */
public record PositionDeleteFile(String location, long sizeInBytes, long rowCount, Optional<Vector> vector) {
    /**
     * A deletion vector in a Puffin file.
     *
     * @param offset where it begins
     * @param length how many bytes it has
     * @param dataFile whose rows it deletes
     */
    public record Vector(long offset, int length, String dataFile) {}

    public PositionDeleteFile {
        requireNonNull(location, "location is null");
        requireNonNull(vector, "vector is null");
    }

    /**
     * What Iceberg says of the file.
     *
     * @throws UnreadableDeletesException if it is of a kind that is not read here: equality deletes, or a format other than
     *     Parquet
     */
    public static PositionDeleteFile of(DeleteFile file) {
        if (file.content() != FileContent.POSITION_DELETES) {
            throw new UnreadableDeletesException(
                    file.location(),
                    "deletes rows by the values of columns (equality deletes), which is not supported: rewrite the table's data files with the program that deleted the rows");
        }
        Optional<Vector> vector = switch (file.format()) {
            case PARQUET -> Optional.empty();
            case PUFFIN ->
                Optional.of(new Vector(
                        file.contentOffset(), Math.toIntExact(file.contentSizeInBytes()), file.referencedDataFile()));
            default ->
                throw new UnreadableDeletesException(
                        file.location(),
                        "is of format %s, and only Parquet and Puffin can be read: rewrite the table's data files with the program that deleted the rows"
                                .formatted(file.format()));
        };
        return new PositionDeleteFile(file.location(), file.fileSizeInBytes(), file.recordCount(), vector);
    }

    /**
     * Reads the deleted rows of each data file, by its location.
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
