package io.cordwood.search.api;

import io.cordwood.search.http.ApiException;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Chooses the length of a histogram's buckets. Stateless. */
final class BucketLength {
    static final int MAX_BUCKETS = 10_000;

    private static final long LONGEST_MILLIS = 3650 * 86_400_000L;
    private static final Pattern INTERVAL = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d|w)");
    private static final Map<String, Long> UNIT_MILLIS =
            Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L, "w", 604_800_000L);

    /** Lengths that people read easily, in milliseconds. */
    private static final long[] ROUND = {
        1,
        2,
        5,
        10,
        20,
        50,
        100,
        200,
        500,
        1_000,
        2_000,
        5_000,
        10_000,
        15_000,
        30_000,
        60_000,
        120_000,
        300_000,
        600_000,
        900_000,
        1_800_000,
        3_600_000,
        7_200_000,
        10_800_000,
        21_600_000,
        43_200_000,
        86_400_000,
        172_800_000,
        604_800_000
    };

    private BucketLength() {}

    /** The shortest round length with which a time range has at most so many buckets, in milliseconds. */
    static long of(long rangeMillis, int buckets) {
        long least = Math.ceilDiv(Math.max(1, rangeMillis), buckets);
        for (long length : ROUND) {
            if (length >= least) {
                return length;
            }
        }
        long longest = ROUND[ROUND.length - 1];
        return Math.ceilDiv(least, longest) * longest;
    }

    /** @throws ApiException unless the text is a length, such as {@code 30s} */
    static long parse(String text) {
        Matcher interval = INTERVAL.matcher(text);
        if (!interval.matches() || Long.parseLong(interval.group(1)) == 0) {
            throw ApiException.invalid(
                    "'interval' is '%s'; use a length such as 500ms, 30s, 5m, 1h, 1d or 1w".formatted(text));
        }
        long length = Long.parseLong(interval.group(1)) * UNIT_MILLIS.get(interval.group(2));
        if (length > LONGEST_MILLIS) {
            throw ApiException.invalid("'interval' is '%s'; use at most 3650d".formatted(text));
        }
        return length;
    }
}
