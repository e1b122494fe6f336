package io.cordwood.query.predicate;

import io.cordwood.logblock.predicate.Predicate.ValueRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Converts ranges of doubles into ranges of the bigints that are cast into them. Stateless. */
public final class BigintRanges {
    private BigintRanges() {}

    /** The bigints whose cast to double lies in one of the ranges; the cast rounds beyond 2^53. */
    public static List<ValueRange> ofDoubles(List<ValueRange> ranges) {
        List<ValueRange> result = new ArrayList<>();
        for (ValueRange range : ranges) {
            OptionalLong low = range.low().isEmpty()
                    ? OptionalLong.of(Long.MIN_VALUE)
                    : first((double) range.low().get(), range.lowInclusive());
            OptionalLong past = range.high().isEmpty()
                    ? OptionalLong.empty()
                    : first((double) range.high().get(), !range.highInclusive());
            if (low.isEmpty() || (past.isPresent() && past.getAsLong() <= low.getAsLong())) {
                continue;
            }
            long high = past.isPresent() ? past.getAsLong() - 1 : Long.MAX_VALUE;
            result.add(new ValueRange(Optional.of(low.getAsLong()), true, Optional.of(high), true));
        }
        return result;
    }

    /** The first bigint whose cast is at the bound or, if the bound is exclusive, above it. Casting is monotonic. */
    private static OptionalLong first(double bound, boolean inclusive) {
        if (!isIn(Long.MAX_VALUE, bound, inclusive)) {
            return OptionalLong.empty();
        }
        long low = Long.MIN_VALUE;
        long high = Long.MAX_VALUE;
        while (low < high) {
            long middle = (low & high) + ((low ^ high) >> 1);
            if (isIn(middle, bound, inclusive)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return OptionalLong.of(low);
    }

    private static boolean isIn(long value, double bound, boolean inclusive) {
        return inclusive ? (double) value >= bound : (double) value > bound;
    }
}
