package io.cordwood.query.pattern;

import java.util.List;

/**
 * The patterns of some rows. Each row is counted once. Immutable.
 *
 * @param patterns the patterns with the most rows, most frequent first
 * @param others rows of further patterns, and rows of no known pattern
 * @param withoutText rows without a value
 * @param rows number of all rows
 * @param before number of all rows in the time before
 * @param isApproximate whether rows of no known pattern are among the others, because there are too many patterns
 */
public record LogPatterns(
        List<LogPattern> patterns, Others others, Others withoutText, long rows, long before, boolean isApproximate) {
    /**
     * Rows that are only counted.
     *
     * @param patterns number of their patterns, as far as they are known
     * @param count number of rows
     * @param before number of rows in the time before
     */
    public record Others(int patterns, long count, long before) {}

    public LogPatterns {
        patterns = List.copyOf(patterns);
    }
}
