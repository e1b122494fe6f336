package io.cordwood.logblock.predicate;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.logblock.schema.ColumnType;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Tests of values against sorted, disjoint ranges, and of ranges against bounds. Stateless. */
public final class Ranges {
    private Ranges() {}

    static ValueTest test(Predicate.In in) {
        List<Predicate.ValueRange> ranges = in.ranges();
        return switch (in.column().type()) {
            case BIGINT, TIMESTAMP -> longs(ranges);
            case DOUBLE -> doubles(ranges);
            case BOOLEAN -> new ValueTest.Booleans(contains(ranges, true), contains(ranges, false));
            case VARCHAR -> texts(ranges);
            case MAP ->
                throw new IllegalArgumentException("Column '%s' is a map and has no ranges"
                        .formatted(in.column().name()));
        };
    }

    /** Converts ranges to closed pairs: open or unbounded ends move to the next value. */
    private static ValueTest longs(List<Predicate.ValueRange> ranges) {
        long[] lows = new long[ranges.size()];
        long[] highs = new long[ranges.size()];
        int count = 0;
        for (Predicate.ValueRange range : ranges) {
            long low = range.low().map(Long.class::cast).orElse(Long.MIN_VALUE);
            long high = range.high().map(Long.class::cast).orElse(Long.MAX_VALUE);
            boolean empty = range.low().isPresent() && !range.lowInclusive() && low == Long.MAX_VALUE
                    || range.high().isPresent() && !range.highInclusive() && high == Long.MIN_VALUE;
            if (!empty) {
                lows[count] = range.low().isPresent() && !range.lowInclusive() ? low + 1 : low;
                highs[count] = range.high().isPresent() && !range.highInclusive() ? high - 1 : high;
                count++;
            }
        }
        int size = count;
        if (size == 1) {
            long low = lows[0];
            long high = highs[0];
            return new ValueTest.Longs(value -> value >= low && value <= high);
        }
        return new ValueTest.Longs(value -> {
            int at = Arrays.binarySearch(lows, 0, size, value);
            int range = at >= 0 ? at : -at - 2;
            return range >= 0 && value <= highs[range];
        });
    }

    /** A test of doubles; NaN lies in no range but the unbounded one. */
    private static ValueTest doubles(List<Predicate.ValueRange> ranges) {
        boolean all = ranges.stream()
                .anyMatch(range -> range.low().isEmpty() && range.high().isEmpty());
        return new ValueTest.Doubles(value -> all || ranges.stream().anyMatch(range -> containsDouble(range, value)));
    }

    private static boolean containsDouble(Predicate.ValueRange range, double value) {
        boolean aboveLow = range.low()
                .map(low -> range.lowInclusive() ? value >= (double) low : value > (double) low)
                .orElse(!Double.isNaN(value));
        boolean belowHigh = range.high()
                .map(high -> range.highInclusive() ? value <= (double) high : value < (double) high)
                .orElse(!Double.isNaN(value));
        return aboveLow && belowHigh;
    }

    private static ValueTest texts(List<Predicate.ValueRange> ranges) {
        byte[][] lows = new byte[ranges.size()][];
        byte[][] highs = new byte[ranges.size()][];
        for (int i = 0; i < lows.length; i++) {
            lows[i] = ranges.get(i).low().map(Ranges::utf8).orElse(new byte[0]);
            highs[i] = ranges.get(i).high().map(Ranges::utf8).orElse(null);
        }
        return new ValueTest.Text((bytes, from, to) -> {
            int low = 0;
            int high = lows.length;
            while (low < high) {
                int middle = (low + high) >>> 1;
                int order = Arrays.compareUnsigned(lows[middle], 0, lows[middle].length, bytes, from, to);
                if (order <= 0) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            // If the value equals an open low end, the range before may end there.
            for (int i = low - 1; i >= 0 && i >= low - 2; i--) {
                if (containsText(ranges.get(i), lows[i], highs[i], bytes, from, to)) {
                    return true;
                }
            }
            return false;
        });
    }

    private static boolean containsText(
            Predicate.ValueRange range, byte[] low, byte[] high, byte[] bytes, int from, int to) {
        if (range.low().isPresent()) {
            int order = Arrays.compareUnsigned(bytes, from, to, low, 0, low.length);
            if (order < 0 || order == 0 && !range.lowInclusive()) {
                return false;
            }
        }
        if (high != null) {
            int order = Arrays.compareUnsigned(bytes, from, to, high, 0, high.length);
            return order < 0 || order == 0 && range.highInclusive();
        }
        return true;
    }

    private static byte[] utf8(Object value) {
        return ((String) value).getBytes(UTF_8);
    }

    private static boolean contains(List<Predicate.ValueRange> ranges, boolean value) {
        return ranges.stream().anyMatch(range -> covers(range, ColumnType.BOOLEAN, value, value));
    }

    /** Whether no value between the bounds lies in a range. */
    public static boolean excludes(Predicate.In in, Object min, Object max) {
        ColumnType type = in.column().type();
        return in.ranges().stream().noneMatch(range -> overlaps(range, type, min, max));
    }

    /** Whether every value between the bounds lies in one range. */
    public static boolean includes(Predicate.In in, Object min, Object max) {
        ColumnType type = in.column().type();
        return in.ranges().stream().anyMatch(range -> covers(range, type, min, max));
    }

    /** Whether a value lies in one of the ranges; efficient for many ranges. */
    public static boolean contains(Predicate.In in, Object value) {
        ColumnType type = in.column().type();
        List<Predicate.ValueRange> ranges = in.ranges();
        int from = 0;
        int to = ranges.size();
        // Ends after the last range that begins at or below the value
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (above(ranges.get(middle), type, value)) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from > 0 && below(ranges.get(from - 1), type, value);
    }

    private static boolean overlaps(Predicate.ValueRange range, ColumnType type, Object min, Object max) {
        return above(range, type, max) && below(range, type, min);
    }

    private static boolean covers(Predicate.ValueRange range, ColumnType type, Object min, Object max) {
        return above(range, type, min) && below(range, type, max);
    }

    private static boolean above(Predicate.ValueRange range, ColumnType type, Object value) {
        Optional<Integer> order = range.low().map(low -> compare(type, value, low));
        return order.map(o -> o > 0 || o == 0 && range.lowInclusive()).orElse(true);
    }

    private static boolean below(Predicate.ValueRange range, ColumnType type, Object value) {
        Optional<Integer> order = range.high().map(high -> compare(type, value, high));
        return order.map(o -> o < 0 || o == 0 && range.highInclusive()).orElse(true);
    }

    private static int compare(ColumnType type, Object left, Object right) {
        return switch (type) {
            case BIGINT, TIMESTAMP -> Long.compare((Long) left, (Long) right);
            // Adding 0.0 turns -0.0 into 0.0.
            case DOUBLE -> Double.compare((Double) left + 0.0, (Double) right + 0.0);
            case BOOLEAN -> Boolean.compare((Boolean) left, (Boolean) right);
            case VARCHAR, MAP -> Arrays.compareUnsigned(utf8(left), utf8(right));
        };
    }
}
