package io.cordwood.standalone.tail;

import io.cordwood.hot.HotTierException;
import io.cordwood.hot.LogEnds;
import io.cordwood.hot.LogOffsets;
import io.cordwood.hot.log.OffsetSpan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Finds the last rows of a tenant. It searches a bounded number of records backwards from the log end. Not thread-safe.
 */
final class LastRows {
    private static final int FIRST_OFFSETS = 4096;
    private static final int MAX_OFFSETS = 1 << 16;
    private static final long PART_BYTES = 32 << 20;
    private static final long MAX_BYTES = 256 << 20;

    private final TailReader reader;
    private final Notes notes;
    private final int count;
    private final TreeSet<TailRow> last = new TreeSet<>();
    private final Map<Integer, Long> reached;
    private final String topicId;
    private final Map<Integer, Long> begins;
    private long bytes;
    private long records;
    private int window = FIRST_OFFSETS;

    /** @param count number of rows to find */
    LastRows(TailReader reader, Notes notes, LogEnds end, LogOffsets begin, int count) {
        this.reader = reader;
        this.notes = notes;
        this.count = count;
        this.topicId = end.topicId();
        this.reached = new HashMap<>(end.ends());
        this.begins = begin.offsets();
    }

    /** The rows, in order. */
    List<TailRow> find() {
        List<OffsetSpan> spans = before();
        while (last.size() < count && !spans.isEmpty() && bytes < MAX_BYTES) {
            read(spans);
            spans = before();
        }
        if (last.size() < count && !spans.isEmpty()) {
            notes.say("only %d of the rows asked for are among the last %,d records of stream '%s'"
                    .formatted(last.size(), records, reader.stream()));
        }
        return List.copyOf(last);
    }

    private void read(List<OffsetSpan> spans) {
        try {
            TailReader.Part part = reader.read(topicId, spans, window == 1 ? Long.MAX_VALUE : PART_BYTES);
            bytes += part.bytes();
            for (TailRow row : part.rows()) {
                last.add(row);
                if (last.size() > count) {
                    last.pollFirst();
                }
            }
            for (OffsetSpan span : spans) {
                records += span.length();
                reached.put(span.partition(), span.from());
            }
            window = Math.min(MAX_OFFSETS, 2 * window);
        } catch (HotTierException e) {
            if (e.kind() != HotTierException.Kind.TOO_LARGE) {
                throw e;
            }
            window = Math.max(1, window / 4);
        }
    }

    /** The records before those that have been read. */
    private List<OffsetSpan> before() {
        List<OffsetSpan> spans = new ArrayList<>();
        int share = Math.max(1, window / Math.max(1, reached.size()));
        reached.forEach((partition, to) -> {
            long from = Math.max(begins.getOrDefault(partition, 0L), to - share);
            if (from < to && spans.size() < window) {
                spans.add(new OffsetSpan(partition, from, to));
            }
        });
        return spans;
    }
}
