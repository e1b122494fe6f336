package io.cordwood.search.api;

import io.cordwood.search.http.RequestFields;

/**
 * The memory that a question may need, in bytes, beside the caches. Questions wait for it, so that all that run at once
 * fit into the heap. Immutable.
 *
 * @param threads threads that read concurrently for one question
 */
public record QuestionMemory(int threads) {
    private static final long MEGABYTE = 1 << 20;
    /** For a short answer, and for what reads it. */
    private static final long SMALL = 2 * MEGABYTE;
    /** Each thread counts signatures by itself ({@code SignatureCounts}). */
    private static final long PATTERNS = 24 * MEGABYTE;
    /** Each thread counts values by itself ({@code ValueCounts}), and they are added up. */
    private static final long VALUES = 16 * MEGABYTE;
    /** Two chunks of rows: one that is written, and the next one. */
    private static final long CHUNKS = 16 * MEGABYTE;
    /** Of a row's time, place and position. */
    private static final long ROW = 300;
    /** Lines, or numbers of series; each of them has a bound of its own. Some count values. */
    private static final long LOKI_QUERY = 32 * MEGABYTE;

    private static final int DEFAULT_ROWS = 100;
    private static final int FEW_ROWS = 1_000;

    /** What a question of the native API may need. */
    long of(String operation, RequestFields fields) {
        return switch (operation) {
            case "patterns" -> patterns();
            case "values" -> values();
            case "histogram" -> fields.has("by") ? values() : SMALL;
            case "search", "explain" -> rows(fields.number("limit").orElse(DEFAULT_ROWS));
            case "context" -> 2 * CHUNKS;
            default -> SMALL;
        };
    }

    /** What a count and the newest rows of a window may need. */
    public long window() {
        return SMALL + rows(DEFAULT_ROWS);
    }

    private static long rows(int limit) {
        return limit <= FEW_ROWS ? 2 * SMALL : CHUNKS + ROW * limit;
    }

    private long values() {
        return VALUES * (threads + 1);
    }

    /** What patterns may need. */
    public long patterns() {
        return PATTERNS * threads;
    }

    /** What a question about values of labels may need. */
    public long labels() {
        return values();
    }

    /** What a query of lines or numbers may need. */
    public long query() {
        return Math.max(LOKI_QUERY, values());
    }
}
