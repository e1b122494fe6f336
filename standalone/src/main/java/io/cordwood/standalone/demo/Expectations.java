package io.cordwood.standalone.demo;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Expected answers of the demo's queries, computed while the rows are generated. Queries of one tenant ask for the hot
 * one. Not thread-safe.
 */
final class Expectations {
    static final int TAIL_ROWS = 5;
    static final int TOP_PATHS = 5;
    static final Duration BIN = Duration.ofMinutes(30);

    private static final long BIN_MICROS = BIN.toMillis() * 1_000;

    private final Map<String, Long> rowsByTenant = new TreeMap<>();
    private final Map<Long, Long> errorsByBin = new TreeMap<>();
    private final Map<String, Long> rowsByPath = new HashMap<>();
    private final Deque<Long> newest = new ArrayDeque<>();
    private final String tenant;
    private final int needleAt;
    private String needle = "";
    private long timeouts;
    private long rawBytes;

    /** @param needleAt index of the needle among the tenant's rows, from 0 */
    Expectations(String tenant, int needleAt) {
        this.tenant = tenant;
        this.needleAt = needleAt;
    }

    void add(SampleRow row, int bytes) {
        rawBytes += bytes;
        long before = rowsByTenant.merge(row.tenant(), 1L, Long::sum) - 1;
        if (!row.tenant().equals(tenant)) {
            return;
        }
        if (before == needleAt) {
            needle = row.traceId();
        }
        if (row.timedOut()) {
            timeouts++;
        }
        if (row.level().equals("ERROR")) {
            errorsByBin.merge(Math.floorDiv(row.micros(), BIN_MICROS), 1L, Long::sum);
        }
        if (!row.path().isEmpty()) {
            rowsByPath.merge(row.path(), 1L, Long::sum);
        }
        newest.addFirst(row.micros());
        if (newest.size() > TAIL_ROWS) {
            newest.removeLast();
        }
    }

    String tenant() {
        return tenant;
    }

    Map<String, Long> rowsByTenant() {
        return rowsByTenant;
    }

    /** The trace id of exactly one row. */
    String needle() {
        return needle;
    }

    long timeouts() {
        return timeouts;
    }

    /** Errors in each bin that has any, oldest first. */
    List<Long> errorsByBin() {
        return List.copyOf(errorsByBin.values());
    }

    /** Event times of the newest rows, newest first, microseconds since 1970. */
    List<Long> newest() {
        return new ArrayList<>(newest);
    }

    /** Counts of the most frequent paths, most frequent first. Names do not matter, because ties share a count. */
    List<Long> topPathCounts() {
        return rowsByPath.values().stream()
                .sorted(Comparator.reverseOrder())
                .limit(TOP_PATHS)
                .toList();
    }

    long rawBytes() {
        return rawBytes;
    }

    long rows() {
        return rowsByTenant.values().stream().mapToLong(Long::longValue).sum();
    }
}
