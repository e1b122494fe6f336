package io.cordwood.hot.statistics;

import io.cordwood.hot.OffsetSpan;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Gathers the statistics of one partition's chunks while its records are read in order. Not thread-safe.
 *
 * <p>What is not taken in time is dropped, oldest first: queries then read those records.
 */
public final class ChunkRecorder {
    private static final int MAX_WAITING = 256;

    private final int partition;
    private final Deque<ChunkStatistics> whole = new ArrayDeque<>();
    private final Map<String, TenantRows> tenants = new HashMap<>();
    private long from;
    private long to;
    private boolean changed;

    /** @param position the next offset to be read */
    public ChunkRecorder(int partition, long position) {
        this.partition = partition;
        this.from = position;
        this.to = position;
    }

    /** Takes note of a record's rows. */
    public void rows(String tenantId, long offset, long rows, long minMicros, long maxMicros) {
        advance(offset);
        int place = (int) (offset - from);
        TenantRows before = tenants.get(tenantId);
        tenants.put(
                tenantId,
                before == null
                        ? TenantRows.of(rows, minMicros, maxMicros, place)
                        : before.with(rows, minMicros, maxMicros, place));
        advance(offset + 1);
    }

    /** Takes note that there is nothing below an offset but what was noted. */
    public void advance(long offset) {
        while (offset >= end()) {
            to = end();
            whole.addLast(chunk());
            if (whole.size() > MAX_WAITING) {
                whole.removeFirst();
            }
            tenants.clear();
            from = to;
        }
        if (offset > to) {
            to = offset;
            changed = true;
        }
    }

    /** Where the present chunk ends. */
    private long end() {
        return (ChunkStatistics.number(from) + 1) * ChunkStatistics.OFFSETS;
    }

    private ChunkStatistics chunk() {
        return new ChunkStatistics(new OffsetSpan(partition, from, to), tenants);
    }

    /** Chunks that were completed since the last call, and the present one if it has grown. */
    public List<ChunkStatistics> takeNews() {
        List<ChunkStatistics> news = new ArrayList<>(whole);
        whole.clear();
        if (changed && to > from) {
            news.add(chunk());
        }
        changed = false;
        return news;
    }
}
