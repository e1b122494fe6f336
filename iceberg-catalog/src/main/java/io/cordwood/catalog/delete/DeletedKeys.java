package io.cordwood.catalog.delete;

import io.cordwood.logblock.scan.LogBlock;
import io.cordwood.logblock.schema.Column;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** The values of some columns by which a delete file deletes rows. Immutable, thread-safe. */
public final class DeletedKeys {
    private static final int BYTES_PER_ROW = 80;
    private static final int BYTES_PER_VALUE = 32;

    private final List<Column> columns;
    private final Set<List<Object>> rows;
    private final long retainedBytes;

    /** @param rows values in the order of the columns; owned by the new object */
    DeletedKeys(List<Column> columns, Set<List<Object>> rows) {
        this.columns = columns;
        this.rows = rows;
        this.retainedBytes = rows.stream().mapToLong(DeletedKeys::bytes).sum();
    }

    private static long bytes(List<Object> row) {
        long bytes = BYTES_PER_ROW;
        for (Object value : row) {
            bytes += BYTES_PER_VALUE + (value instanceof String text ? 2L * text.length() : 0);
        }
        return bytes;
    }

    /**
     * Reads an open data file and finds its rows that have these values.
     *
     * @throws IOException if the data file cannot be read
     */
    public DeletedRows find(LogBlock dataFile) throws IOException {
        IntStream.Builder found = IntStream.builder();
        RowKeyReader.read(dataFile, columns, (row, values) -> {
            if (rows.contains(values)) {
                found.add(row);
            }
        });
        return DeletedRows.of(found.build().toArray());
    }

    /** Approximate bytes of memory. */
    public long retainedBytes() {
        return retainedBytes;
    }
}
