package io.cordwood.record.assemble;

import io.cordwood.logblock.vector.BooleanVector;
import io.cordwood.logblock.vector.DoubleVector;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.MapVector;
import io.cordwood.logblock.vector.NullMask;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Splits sorted columns at UTC day boundaries. Stateless. */
public final class DaySplitter {
    private static final long MICROS_PER_DAY = 86_400_000_000L;

    private DaySplitter() {}

    static List<DayRows> split(long[] times, List<Vector> columns) {
        List<DayRows> days = new ArrayList<>();
        int from = 0;
        while (from < times.length) {
            long day = day(times[from]);
            long nextDay = (day + 1) * MICROS_PER_DAY;
            int to = Arrays.binarySearch(times, from, times.length, nextDay - 1);
            to = to < 0 ? -to - 1 : to + 1;
            while (to < times.length && times[to] < nextDay) {
                to++;
            }
            days.add(new DayRows(Math.toIntExact(day), slices(columns, from, to, times.length), to - from));
            from = to;
        }
        return days;
    }

    /** The UTC day of a time in microseconds, in days since 1970-01-01. */
    public static long day(long micros) {
        return Math.floorDiv(micros, MICROS_PER_DAY);
    }

    private static List<Vector> slices(List<Vector> columns, int from, int to, int rows) {
        if (from == 0 && to == rows) {
            return columns;
        }
        List<Vector> slices = new ArrayList<>(columns.size());
        for (Vector column : columns) {
            slices.add(slice(column, from, to));
        }
        return slices;
    }

    private static Vector slice(Vector vector, int from, int to) {
        int length = to - from;
        NullMask nulls = slice(vector.nulls(), from, to);
        return switch (vector) {
            case LongVector longs -> new LongVector(Arrays.copyOfRange(longs.values(), from, to), length, nulls);
            case DoubleVector doubles ->
                new DoubleVector(Arrays.copyOfRange(doubles.values(), from, to), length, nulls);
            case BooleanVector booleans ->
                new BooleanVector(Arrays.copyOfRange(booleans.values(), from, to), length, nulls);
            case StringVector strings -> slice(strings, from, to, nulls);
            case MapVector map -> {
                int[] offsets = Arrays.copyOfRange(map.entryOffsets(), from, to + 1);
                int first = offsets[0];
                int last = offsets[length];
                for (int i = 0; i <= length; i++) {
                    offsets[i] -= first;
                }
                yield new MapVector(
                        offsets,
                        slice(map.keys(), first, last, slice(map.keys().nulls(), first, last)),
                        slice(map.values(), first, last, slice(map.values().nulls(), first, last)),
                        length,
                        nulls);
            }
        };
    }

    private static StringVector slice(StringVector strings, int from, int to, NullMask nulls) {
        int length = to - from;
        if (strings.isDictionary()) {
            return Dictionaries.compact(
                    strings.bytes(), strings.offsets(), Arrays.copyOfRange(strings.ids(), from, to), length, nulls);
        }
        int[] offsets = Arrays.copyOfRange(strings.offsets(), from, to + 1);
        int first = offsets[0];
        byte[] bytes = Arrays.copyOfRange(strings.bytes(), first, offsets[length]);
        for (int i = 0; i <= length; i++) {
            offsets[i] -= first;
        }
        return StringVector.plain(bytes, offsets, length, nulls);
    }

    private static NullMask slice(NullMask nulls, int from, int to) {
        if (nulls.isEmpty()) {
            return NullMask.none();
        }
        NullMask slice = new NullMask(to - from);
        for (int i = from; i < to; i++) {
            if (nulls.isNull(i)) {
                slice.set(i - from);
            }
        }
        return slice;
    }
}
