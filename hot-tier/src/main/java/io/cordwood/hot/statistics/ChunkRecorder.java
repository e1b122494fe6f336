package io.cordwood.hot.statistics;

import io.cordwood.hot.log.OffsetSpan;
import io.cordwood.record.buffer.MemberObserver;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Collects the statistics of one partition's chunks while the job reads its records in order. Not thread-safe.
 *
 * <p>Statistics that are not taken in time are dropped, oldest first; queries then read those records.
 *
 * <p>Column statistics cover only tenants that queries request, and that had more records in the previous chunk than
 * {@link TenantRows} lists: the listed offsets locate the records of the other tenants. So columns that no query
 * requests cost nothing, and a tenant's columns are known from the first whole chunk after it has become large.
 */
public final class ChunkRecorder {
    private static final int MAX_WAITING = 256;
    /** Memory of all tenants' filters of a growing chunk: enough for at least the four largest tenants. */
    static final int MAX_FILTER_BYTES = 4 * BloomFilter.MAX_WORDS * Long.BYTES;
    /** Published columns of all tenants of a chunk: the filters, and the same size again for names and bounds. */
    static final int MAX_CHUNK_BYTES = 2 * MAX_FILTER_BYTES;
    /** Columns of whole chunks that wait to be taken: at least those of two chunks. */
    static final int MAX_WAITING_BYTES = 2 * MAX_CHUNK_BYTES;

    private final TermHash hash = new TermHash();
    private final int partition;
    private final Deque<ChunkStatistics> whole = new ArrayDeque<>();
    private final Map<String, TenantRows> tenants = new HashMap<>();
    private final Deque<TenantColumns> wholeColumns = new ArrayDeque<>();
    private int wholeColumnsBytes;
    /** Recorders of the tenants with column statistics, the largest tenant first. */
    private final Map<String, Optional<ColumnsRecorder>> observers = new LinkedHashMap<>();

    private Set<String> asked = Set.of();
    private long from;
    private long to;
    private boolean changed;
    /** The end of the current chunk's columns when they were last taken. */
    private long columnsTo;

    /** @param position the next offset to read */
    public ChunkRecorder(int partition, long position) {
        this.partition = partition;
        this.from = position;
        this.to = position;
        this.columnsTo = position;
    }

    /** The observer of the values of this tenant's next record; empty if its columns are not recorded. */
    public Optional<? extends MemberObserver> observer(String tenantId, long offset) {
        advance(offset);
        return observers.getOrDefault(tenantId, Optional.empty());
    }

    /** Adds a record's rows. */
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

    /** Notes that there are no further records below an offset. */
    public void advance(long offset) {
        while (offset >= end()) {
            to = end();
            whole.addLast(chunk());
            if (whole.size() > MAX_WAITING) {
                whole.removeFirst();
            }
            keep(columns());
            observe();
            tenants.clear();
            from = to;
            columnsTo = to;
        }
        if (offset > to) {
            to = offset;
            changed = true;
        }
    }

    private void keep(List<TenantColumns> columns) {
        for (TenantColumns each : columns) {
            wholeColumns.addLast(each);
            wholeColumnsBytes += each.bytes();
        }
        while (wholeColumnsBytes > MAX_WAITING_BYTES) {
            wholeColumnsBytes -= wholeColumns.removeFirst().bytes();
        }
    }

    /**
     * Starts to record the columns of requested tenants that had many records in the chunk that has ended, the largest
     * first, while there is memory for their filters.
     */
    private void observe() {
        observers.clear();
        List<Map.Entry<String, TenantRows>> largest = tenants.entrySet().stream()
                .filter(tenant -> tenant.getValue().offsets().length == 0 && asked.contains(tenant.getKey()))
                .sorted(Comparator.comparingLong((Map.Entry<String, TenantRows> tenant) ->
                        -tenant.getValue().rows()))
                .toList();
        int bytes = 0;
        for (Map.Entry<String, TenantRows> tenant : largest) {
            ColumnsRecorder recorder =
                    new ColumnsRecorder(hash, tenant.getValue().rows());
            bytes += recorder.filterBytes();
            if (bytes > MAX_FILTER_BYTES) {
                return;
            }
            observers.put(tenant.getKey(), Optional.of(recorder));
        }
    }

    private List<TenantColumns> columns() {
        OffsetSpan span = new OffsetSpan(partition, from, to);
        List<TenantColumns> columns = new ArrayList<>();
        int bytes = 0;
        for (Map.Entry<String, Optional<ColumnsRecorder>> observer : observers.entrySet()) {
            Optional<TenantColumns> known =
                    observer.getValue().flatMap(recorder -> recorder.columns(observer.getKey(), span));
            if (known.isPresent() && bytes + known.get().bytes() <= MAX_CHUNK_BYTES) {
                bytes += known.get().bytes();
                columns.add(known.get());
            }
        }
        return columns;
    }

    /** The end of the current chunk. */
    private long end() {
        return (ChunkStatistics.number(from) + 1) * ChunkStatistics.OFFSETS;
    }

    private ChunkStatistics chunk() {
        return new ChunkStatistics(new OffsetSpan(partition, from, to), tenants);
    }

    /** Chunks completed since the last call, and the current one if it has grown. */
    public List<ChunkStatistics> takeNews() {
        List<ChunkStatistics> news = new ArrayList<>(whole);
        whole.clear();
        if (changed && to > from) {
            news.add(chunk());
        }
        changed = false;
        return news;
    }

    /**
     * Columns of chunks completed since the last call, and of the current chunk if it has doubled: each publication
     * rewrites all its bytes.
     *
     * @param askedTenants tenants whose columns are recorded from the next chunk on
     */
    public List<TenantColumns> takeColumns(Set<String> askedTenants) {
        asked = askedTenants;
        List<TenantColumns> news = new ArrayList<>(wholeColumns);
        wholeColumns.clear();
        wholeColumnsBytes = 0;
        if (to - from > 2 * (columnsTo - from)) {
            news.addAll(columns());
            columnsTo = to;
        }
        return news;
    }
}
