package io.cordwood.catalog.usage;

import io.cordwood.catalog.table.LogBlockFile;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Amounts of ingested data. Immutable.
 *
 * @param rows rows added to the table
 * @param rawBytes bytes of the values of their records
 * @param storedBytes bytes of the LogBlocks that ingest wrote for them, index included
 */
public record IngestTotals(long rows, long rawBytes, long storedBytes) {
    /** The sum of both. */
    public IngestTotals plus(IngestTotals other) {
        return new IngestTotals(rows + other.rows, rawBytes + other.rawBytes, storedBytes + other.storedBytes);
    }

    /**
     * The amounts that a commit of these files of a flush adds, by hour. A LogBlock may have rows of several hours; its
     * bytes are divided by rows, so that all hours together have exactly the bytes of the files.
     *
     * @param appendRuns append runs of the rows in the files
     */
    public static Map<Long, IngestTotals> byHour(List<LogBlockFile> files, List<AppendRun> appendRuns) {
        long storedBytes =
                files.stream().mapToLong(file -> file.summary().sizeInBytes()).sum();
        long allRows = appendRuns.stream().mapToLong(AppendRun::rows).sum();
        Map<Long, IngestTotals> byHour = new TreeMap<>();
        long rows = 0;
        long shared = 0;
        for (AppendRun run : appendRuns) {
            rows += run.rows();
            long share = Math.round((double) storedBytes * rows / allRows) - shared;
            shared += share;
            byHour.merge(run.hour(), new IngestTotals(run.rows(), run.rawBytes(), share), IngestTotals::plus);
        }
        return byHour;
    }
}
