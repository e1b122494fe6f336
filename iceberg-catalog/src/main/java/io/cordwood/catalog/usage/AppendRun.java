package io.cordwood.catalog.usage;

import io.cordwood.catalog.table.LogBlockFile;
import java.util.ArrayList;
import java.util.List;

/**
 * How rows of a flush came in: a run of records that Kafka appended within one hour. Immutable.
 *
 * @param firstOffset offset of the first of them; the run ends where the next one of the flush begins
 * @param hour UTC hour of their append times, hours since the epoch
 * @param rows their rows, as far as they are in the files of the flush
 * @param rawBytes bytes of their values
 */
public record AppendRun(long firstOffset, long hour, long rows, long rawBytes) {
    public AppendRun {
        if (firstOffset < 0 || rows < 0 || rawBytes < 0) {
            throw new IllegalArgumentException("An intake cannot be negative: %d rows, %d bytes from offset %d"
                    .formatted(rows, rawBytes, firstOffset));
        }
    }

    /** The intake of files that were written before it was measured: the rows are known, their bytes are not. */
    public static List<AppendRun> unmeasured(long firstOffset, long hour, List<LogBlockFile> files) {
        long rows = rows(files);
        return rows == 0 ? List.of() : List.of(new AppendRun(firstOffset, hour, rows, 0));
    }

    /**
     * What is left of an intake once the rows below an offset are gone. Rows come out exactly. Of the bytes of the one
     * run that is cut, a share by rows is left: nobody knows how large each record was.
     *
     * @param intake the runs, ascending
     * @param rowsLeft rows from the offset on
     */
    public static List<AppendRun> from(List<AppendRun> intake, long firstOffset, long rowsLeft) {
        List<AppendRun> left = new ArrayList<>();
        long missing = rowsLeft;
        for (AppendRun run : intake.reversed()) {
            long rows = Math.min(run.rows, missing);
            if (rows > 0) {
                long bytes = rows == run.rows ? run.rawBytes : Math.round((double) run.rawBytes * rows / run.rows);
                left.addFirst(new AppendRun(Math.max(run.firstOffset, firstOffset), run.hour, rows, bytes));
                missing -= rows;
            }
        }
        if (missing > 0) {
            throw new IllegalArgumentException(
                    "%d of %d rows from offset %d on never came in".formatted(missing, rowsLeft, firstOffset));
        }
        return left;
    }

    public static long rows(List<LogBlockFile> files) {
        return files.stream().mapToLong(file -> file.summary().rowCount()).sum();
    }
}
