package io.cordwood.ingest.builder;

import io.cordwood.catalog.usage.AppendRun;
import io.cordwood.record.buffer.RowBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures the append runs of one flush: runs of records of the same hour. Not thread-safe.
 *
 * <p>A run also ends after {@value #RUN_BYTES} bytes: if the committer cuts the flush, it has to estimate the share of
 * at most this many bytes.
 */
final class AppendRunMeter {
    private static final long RUN_BYTES = 1 << 20;

    private final long from;
    private final long to;
    private final long keptFromMicros;
    private final List<AppendRun> runs = new ArrayList<>();
    private long firstOffset;
    private long lastOffset = -1;
    private long hour;
    private long rows;
    private long bytes;

    /**
     * Measures the rows with offsets {@code [from, to)}.
     *
     * @param keptFromMicros earlier rows are not written, and not counted
     */
    AppendRunMeter(long from, long to, long keptFromMicros) {
        this.from = from;
        this.to = to;
        this.keptFromMicros = keptFromMicros;
    }

    /** The runs of all buffers. The buffers ascend by offset. */
    List<AppendRun> measure(List<RowBuffer> buffers) {
        buffers.forEach(buffer -> buffer.forEachAppend(this::row));
        endRun();
        return List.copyOf(runs);
    }

    private void row(long offset, long timeMicros, long appendHour, int recordBytes) {
        if (offset < from || offset >= to || timeMicros < keptFromMicros) {
            return;
        }
        if (offset != lastOffset && (appendHour != hour || bytes >= RUN_BYTES)) {
            endRun();
        }
        if (rows == 0) {
            firstOffset = offset;
            hour = appendHour;
        }
        lastOffset = offset;
        rows++;
        bytes += recordBytes;
    }

    private void endRun() {
        if (rows > 0) {
            runs.add(new AppendRun(firstOffset, hour, rows, bytes));
        }
        rows = 0;
        bytes = 0;
    }
}
