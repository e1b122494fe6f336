package io.cordwood.logblock.vector;

import io.cordwood.logblock.schema.ColumnType;
import java.util.Arrays;
import java.util.List;

/** Slices and concatenates vectors. Stateless. */
public final class Vectors {
    private Vectors() {}

    /** The positions {@code [from, from + count)} of a vector. */
    public static Vector slice(Vector vector, int from, int count) {
        if (from == 0 && count == vector.length()) {
            return vector;
        }
        NullMask nulls = sliceNulls(vector.nulls(), from, count);
        int to = from + count;
        return switch (vector) {
            case LongVector v -> new LongVector(Arrays.copyOfRange(v.values(), from, to), count, nulls);
            case DoubleVector v -> new DoubleVector(Arrays.copyOfRange(v.values(), from, to), count, nulls);
            case BooleanVector v -> new BooleanVector(Arrays.copyOfRange(v.values(), from, to), count, nulls);
            case StringVector v ->
                v.isDictionary()
                        ? new StringVector(v.bytes(), v.offsets(), Arrays.copyOfRange(v.ids(), from, to), count, nulls)
                        : StringVector.plain(v.bytes(), Arrays.copyOfRange(v.offsets(), from, to + 1), count, nulls);
            case MapVector v -> {
                int first = v.entryOffsets()[from];
                int entries = v.entryOffsets()[to] - first;
                int[] offsets = new int[count + 1];
                for (int i = 0; i <= count; i++) {
                    offsets[i] = v.entryOffsets()[from + i] - first;
                }
                yield new MapVector(
                        offsets,
                        (StringVector) slice(v.keys(), first, entries),
                        (StringVector) slice(v.values(), first, entries),
                        count,
                        nulls);
            }
        };
    }

    private static NullMask sliceNulls(NullMask nulls, int from, int count) {
        if (nulls.isEmpty()) {
            return NullMask.none();
        }
        NullMask slice = new NullMask(count);
        for (int i = 0; i < count; i++) {
            if (nulls.isNull(from + i)) {
                slice.set(i);
            }
        }
        return slice.isEmpty() ? NullMask.none() : slice;
    }

    /** Concatenates vectors of one type. */
    public static Vector concat(List<? extends Vector> parts) {
        if (parts.size() == 1) {
            return parts.getFirst();
        }
        int length = parts.stream().mapToInt(Vector::length).sum();
        NullMask nulls = concatNulls(parts, length);
        return switch (parts.getFirst()) {
            case LongVector _first -> {
                long[] values = new long[length];
                int at = 0;
                for (Vector part : parts) {
                    System.arraycopy(((LongVector) part).values(), 0, values, at, part.length());
                    at += part.length();
                }
                yield new LongVector(values, length, nulls);
            }
            case DoubleVector _first -> {
                double[] values = new double[length];
                int at = 0;
                for (Vector part : parts) {
                    System.arraycopy(((DoubleVector) part).values(), 0, values, at, part.length());
                    at += part.length();
                }
                yield new DoubleVector(values, length, nulls);
            }
            case BooleanVector _first -> {
                boolean[] values = new boolean[length];
                int at = 0;
                for (Vector part : parts) {
                    System.arraycopy(((BooleanVector) part).values(), 0, values, at, part.length());
                    at += part.length();
                }
                yield new BooleanVector(values, length, nulls);
            }
            case StringVector _first ->
                concatStrings(parts.stream().map(StringVector.class::cast).toList(), length, nulls);
            case MapVector _first ->
                concatMaps(parts.stream().map(MapVector.class::cast).toList(), length, nulls);
        };
    }

    /** The approximate size of the values in bytes, without sharing. */
    public static long valueBytes(Vector vector) {
        return switch (vector) {
            case LongVector v -> (long) Long.BYTES * v.length();
            case DoubleVector v -> (long) Double.BYTES * v.length();
            case BooleanVector v -> v.length();
            case StringVector v
            when v.isDictionary() -> {
                long bytes = 0;
                for (int i = 0; i < v.length(); i++) {
                    bytes += v.isNull(i) ? 0 : v.offsets()[v.slot(i) + 1] - v.offsets()[v.slot(i)];
                }
                yield bytes;
            }
            case StringVector v -> (long) v.offsets()[v.length()] - v.offsets()[0];
            case MapVector v -> valueBytes(v.keys()) + valueBytes(v.values());
        };
    }

    /** The approximate memory of a vector that shares no arrays, without its dictionary. */
    public static long retainedBytes(Vector vector) {
        return switch (vector) {
            case LongVector v -> (long) Long.BYTES * v.length();
            case DoubleVector v -> (long) Double.BYTES * v.length();
            case BooleanVector v -> v.length();
            case StringVector v when v.isDictionary() -> (long) Integer.BYTES * v.length();
            case StringVector v -> v.bytes().length + (long) Integer.BYTES * v.offsets().length;
            case MapVector v ->
                retainedBytes(v.keys()) + retainedBytes(v.values()) + (long) Integer.BYTES * v.entryOffsets().length;
        };
    }

    /** A vector of nulls. */
    public static Vector allNull(ColumnType type, int length) {
        NullMask nulls = NullMask.all(length);
        return switch (type) {
            case BIGINT, TIMESTAMP -> new LongVector(new long[length], length, nulls);
            case DOUBLE -> new DoubleVector(new double[length], length, nulls);
            case BOOLEAN -> new BooleanVector(new boolean[length], length, nulls);
            case VARCHAR -> StringVector.plain(new byte[0], new int[length + 1], length, nulls);
            case MAP -> new MapVector(new int[length + 1], StringVector.of(), StringVector.of(), length, nulls);
        };
    }

    private static NullMask concatNulls(List<? extends Vector> parts, int length) {
        NullMask nulls = new NullMask(length);
        int at = 0;
        for (Vector part : parts) {
            for (int i = 0; i < part.length() && !part.nulls().isEmpty(); i++) {
                if (part.isNull(i)) {
                    nulls.set(at + i);
                }
            }
            at += part.length();
        }
        return nulls.isEmpty() ? NullMask.none() : nulls;
    }

    /**
     * Concatenates the parts' slots. The result has ids if any part has them, and shares the slots if all parts have
     * the same.
     */
    private static StringVector concatStrings(List<StringVector> parts, int length, NullMask nulls) {
        StringVector first = parts.getFirst();
        if (parts.stream().allMatch(part -> part.isDictionary() && part.bytes() == first.bytes())) {
            int[] ids = new int[length];
            int at = 0;
            for (StringVector part : parts) {
                System.arraycopy(part.ids(), 0, ids, at, part.length());
                at += part.length();
            }
            return new StringVector(first.bytes(), first.offsets(), ids, length, nulls);
        }
        int slots = 0;
        long byteCount = 0;
        boolean dictionary = false;
        for (StringVector part : parts) {
            slots += slots(part);
            byteCount += part.offsets()[slots(part)] - part.offsets()[0];
            dictionary |= part.isDictionary();
        }
        byte[] bytes = new byte[Math.toIntExact(byteCount)];
        int[] offsets = new int[slots + 1];
        int[] ids = new int[dictionary ? length : 0];
        int slot = 0;
        int byteAt = 0;
        int position = 0;
        for (StringVector part : parts) {
            int partSlots = slots(part);
            int firstByte = part.offsets()[0];
            int partBytes = part.offsets()[partSlots] - firstByte;
            System.arraycopy(part.bytes(), firstByte, bytes, byteAt, partBytes);
            for (int i = 0; i < partSlots; i++) {
                offsets[slot + i + 1] = part.offsets()[i + 1] - firstByte + byteAt;
            }
            for (int i = 0; i < part.length() && dictionary; i++) {
                ids[position + i] = slot + (part.isNull(i) ? 0 : part.slot(i));
            }
            slot += partSlots;
            byteAt += partBytes;
            position += part.length();
        }
        return dictionary
                ? new StringVector(bytes, offsets, ids, length, nulls)
                : StringVector.plain(bytes, offsets, length, nulls);
    }

    /** The number of slots of a part; 0 without positions, even if the offsets are those of a dictionary. */
    private static int slots(StringVector part) {
        return part.isDictionary() ? part.offsets().length - 1 : part.length();
    }

    private static MapVector concatMaps(List<MapVector> parts, int length, NullMask nulls) {
        int[] offsets = new int[length + 1];
        int at = 0;
        int entries = 0;
        for (MapVector part : parts) {
            for (int i = 0; i < part.length(); i++) {
                offsets[at + i + 1] = entries + part.entryOffsets()[i + 1];
            }
            at += part.length();
            entries += part.entryOffsets()[part.length()];
        }
        List<StringVector> keys = parts.stream()
                .map(part -> (StringVector) slice(part.keys(), 0, part.entryOffsets()[part.length()]))
                .toList();
        List<StringVector> values = parts.stream()
                .map(part -> (StringVector) slice(part.values(), 0, part.entryOffsets()[part.length()]))
                .toList();
        return new MapVector(offsets, (StringVector) concat(keys), (StringVector) concat(values), length, nulls);
    }
}
