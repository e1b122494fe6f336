package io.cordwood.catalog.delete;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.io.FileIO;

/**
 * The rows of one data file that its table's delete files delete, by row number in the file, from 0. Immutable,
 * thread-safe.
 *
 * <p>A reader with Iceberg's scan tasks uses {@link #of(FileScanTask, FileIO)}. A planner of its own scans finds the
 * applicable delete files with {@link TableDeletes}.
 */
public final class DeletedRows {
    /** No row is deleted. */
    public static final DeletedRows NONE = new DeletedRows(new int[0]);

    private final int[] rows;

    private DeletedRows(int[] rows) {
        this.rows = rows;
    }

    /** These rows, in any order; repetitions are allowed. */
    public static DeletedRows of(int... rows) {
        if (rows.length == 0) {
            return NONE;
        }
        int[] sorted = rows.clone();
        Arrays.sort(sorted);
        int size = 1;
        for (int i = 1; i < sorted.length; i++) {
            if (sorted[i] != sorted[i - 1]) {
                sorted[size++] = sorted[i];
            }
        }
        return new DeletedRows(Arrays.copyOf(sorted, size));
    }

    /**
     * Reads the deleted rows of the task's data file, all of them even if the task reads only a part of the file.
     *
     * @throws UnreadableDeletesException if a delete file is of an unsupported kind, is damaged or cannot be read
     */
    public static DeletedRows of(FileScanTask task, FileIO io) {
        return of(task.file().location(), task.deletes(), io);
    }

    /**
     * Reads the rows of a data file that these delete files delete; all of them must apply to it.
     *
     * @throws UnreadableDeletesException if a delete file is of an unsupported kind, is damaged or cannot be read
     */
    public static DeletedRows of(String dataFile, Collection<DeleteFile> deletes, FileIO io) {
        return deletes.stream()
                .map(RowDeleteFile::of)
                .map(file -> file.read(io).getOrDefault(dataFile, NONE))
                .reduce(NONE, DeletedRows::and);
    }

    /** These rows and others. */
    public DeletedRows and(DeletedRows others) {
        if (others.isEmpty()) {
            return this;
        }
        if (isEmpty()) {
            return others;
        }
        int[] all = Arrays.copyOf(rows, rows.length + others.rows.length);
        System.arraycopy(others.rows, 0, all, rows.length, others.rows.length);
        return of(all);
    }

    /** These rows and all others of a list. */
    public static DeletedRows union(List<DeletedRows> parts) {
        return parts.stream().reduce(NONE, DeletedRows::and);
    }

    public boolean isEmpty() {
        return rows.length == 0;
    }

    /** Number of deleted rows. */
    public int count() {
        return rows.length;
    }

    /** Whether a row is deleted. */
    public boolean contains(int row) {
        return Arrays.binarySearch(rows, row) >= 0;
    }

    /** The rows, ascending, each once. */
    public int[] toArray() {
        return rows.clone();
    }

    /** Bytes of memory. */
    public long retainedBytes() {
        return 16L + Integer.BYTES * (long) rows.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DeletedRows that && Arrays.equals(rows, that.rows);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(rows);
    }

    @Override
    public String toString() {
        return rows.length <= 20 ? Arrays.toString(rows) : "%d rows".formatted(rows.length);
    }
}
