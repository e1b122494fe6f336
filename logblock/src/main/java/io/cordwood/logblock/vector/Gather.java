package io.cordwood.logblock.vector;

/** Picks positions of a vector. Stateless. */
public final class Gather {
    private Gather() {}

    /** The values at these positions, in the order of the positions. */
    public static Vector of(Vector vector, int[] positions) {
        int length = positions.length;
        NullMask nulls = nulls(vector, positions);
        return switch (vector) {
            case LongVector v -> {
                long[] values = new long[length];
                for (int i = 0; i < length; i++) {
                    values[i] = v.values()[positions[i]];
                }
                yield new LongVector(values, length, nulls);
            }
            case DoubleVector v -> {
                double[] values = new double[length];
                for (int i = 0; i < length; i++) {
                    values[i] = v.values()[positions[i]];
                }
                yield new DoubleVector(values, length, nulls);
            }
            case BooleanVector v -> {
                boolean[] values = new boolean[length];
                for (int i = 0; i < length; i++) {
                    values[i] = v.values()[positions[i]];
                }
                yield new BooleanVector(values, length, nulls);
            }
            case StringVector v -> strings(v, positions, nulls);
            case MapVector v -> map(v, positions, nulls);
        };
    }

    private static NullMask nulls(Vector vector, int[] positions) {
        if (vector.nulls().isEmpty()) {
            return NullMask.none();
        }
        NullMask nulls = new NullMask(positions.length);
        for (int i = 0; i < positions.length; i++) {
            if (vector.isNull(positions[i])) {
                nulls.set(i);
            }
        }
        return nulls.isEmpty() ? NullMask.none() : nulls;
    }

    private static StringVector strings(StringVector v, int[] positions, NullMask nulls) {
        int length = positions.length;
        if (v.isDictionary()) {
            int[] ids = new int[length];
            for (int i = 0; i < length; i++) {
                ids[i] = v.ids()[positions[i]];
            }
            return new StringVector(v.bytes(), v.offsets(), ids, length, nulls);
        }
        int[] offsets = new int[length + 1];
        for (int i = 0; i < length; i++) {
            offsets[i + 1] = Math.addExact(offsets[i], v.offsets()[positions[i] + 1] - v.offsets()[positions[i]]);
        }
        byte[] bytes = new byte[offsets[length]];
        for (int first = 0; first < length; ) {
            int next = first + 1;
            while (next < length && positions[next] == positions[next - 1] + 1) {
                next++;
            }
            System.arraycopy(
                    v.bytes(), v.offsets()[positions[first]], bytes, offsets[first], offsets[next] - offsets[first]);
            first = next;
        }
        return StringVector.plain(bytes, offsets, length, nulls);
    }

    private static MapVector map(MapVector v, int[] positions, NullMask nulls) {
        int[] offsets = new int[positions.length + 1];
        for (int i = 0; i < positions.length; i++) {
            offsets[i + 1] = offsets[i] + v.entryOffsets()[positions[i] + 1] - v.entryOffsets()[positions[i]];
        }
        int[] entries = new int[offsets[positions.length]];
        for (int i = 0; i < positions.length; i++) {
            int first = v.entryOffsets()[positions[i]];
            for (int j = offsets[i]; j < offsets[i + 1]; j++) {
                entries[j] = first + j - offsets[i];
            }
        }
        return new MapVector(
                offsets,
                strings(v.keys(), entries, nulls(v.keys(), entries)),
                strings(v.values(), entries, nulls(v.values(), entries)),
                positions.length,
                nulls);
    }
}
