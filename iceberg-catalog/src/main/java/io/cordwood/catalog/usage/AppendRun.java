package io.cordwood.catalog.usage;

import io.cordwood.catalog.table.LogBlockFile;
import java.util.ArrayList;
import java.util.List;

/**
 * A run of records in a flush that Kafka appended within one hour. Immutable.
 *
 * @param firstOffset offset of the first record; the run ends where the next one of the flush begins
 * @param hour UTC hour of the append times, hours since the epoch
 * @param rows number of rows in the files of the flush
 * @param rawBytes bytes of the records' values
 */
public record AppendRun(long firstOffset, long hour, long rows, long rawBytes) {
    public AppendRun {
        if (firstOffset < 0 || rows < 0 || rawBytes < 0) {
            throw new IllegalArgumentException("An append run cannot be negative: %d rows, %d bytes from offset %d"
                    .formatted(rows, rawBytes, firstOffset));
        }
    }

    /** Append runs of files without measured runs: their rows are known, the bytes of their values are not. */
    public static List<AppendRun> unmeasured(long firstOffset, long hour, List<LogBlockFile> files) {
        long rows = rows(files);
        return rows == 0 ? List.of() : List.of(new AppendRun(firstOffset, hour, rows, 0));
    }

    /**
     * The rest of some runs after the rows below an offset are dropped. Rows are exact. The bytes of a run that is cut
     * are divided by rows, as the size of each record is unknown.
     *
     * @param appendRuns the runs, ascending
     * @param rowsLeft number of rows from the offset on
     */
    public static List<AppendRun> from(List<AppendRun> appendRuns, long firstOffset, long rowsLeft) {
        List<AppendRun> left = new ArrayList<>();
        long missing = rowsLeft;
        for (AppendRun run : appendRuns.reversed()) {
            long rows = Math.min(run.rows, missing);
            if (rows > 0) {
                long bytes = rows == run.rows ? run.rawBytes : Math.round((double) run.rawBytes * rows / run.rows);
                left.addFirst(new AppendRun(Math.max(run.firstOffset, firstOffset), run.hour, rows, bytes));
                missing -= rows;
            }
        }
        if (missing > 0) {
            throw new IllegalArgumentException(
                    "%d of %d rows from offset %d on are in no append run".formatted(missing, rowsLeft, firstOffset));
        }
        return left;
    }

    public static long rows(List<LogBlockFile> files) {
        return files.stream().mapToLong(file -> file.summary().rowCount()).sum();
    }
}
