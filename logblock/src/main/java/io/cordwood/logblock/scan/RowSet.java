package io.cordwood.logblock.scan;

import org.apache.lucene.util.FixedBitSet;

/** A set of row numbers of one LogBlock, ascending in time. Immutable. */
public final class RowSet {
    private final int from;
    private final FixedBitSet bits;
    private final int cardinality;

    /** @param bits bit 0 is row {@code from}; the caller no longer modifies them */
    RowSet(int from, FixedBitSet bits) {
        this.from = from;
        this.bits = bits;
        this.cardinality = bits.cardinality();
    }

    /** Sets the bits of these rows; bit 0 is row {@code firstRow}. */
    void addTo(FixedBitSet rows, int firstRow) {
        FixedBitSet.orRange(bits, 0, rows, from - firstRow, bits.length());
    }

    public int cardinality() {
        return cardinality;
    }

    public boolean isEmpty() {
        return cardinality == 0;
    }

    /** The first row at or after {@code row}, or -1. */
    public int nextRow(int row) {
        int at = Math.max(0, row - from);
        if (at >= bits.length()) {
            return -1;
        }
        int next = bits.nextSetBit(at);
        return next == Integer.MAX_VALUE ? -1 : from + next;
    }

    /** The last row at or before {@code row}, or -1. */
    public int previousRow(int row) {
        int at = Math.min(bits.length() - 1, row - from);
        int previous = at < 0 ? -1 : bits.prevSetBit(at);
        return previous < 0 ? -1 : from + previous;
    }

    /** The number of rows in {@code [low, high)}. */
    public int cardinality(int low, int high) {
        int first = Math.clamp(low - (long) from, 0, bits.length());
        int last = Math.clamp(high - (long) from, 0, bits.length());
        return first >= last ? 0 : bits.cardinality(first, last);
    }

    /**
     * The rows without some others.
     *
     * @param others rows to remove, ascending
     */
    public RowSet without(int[] others) {
        FixedBitSet left = bits.clone();
        for (int row : others) {
            int at = row - from;
            if (at >= left.length()) {
                break;
            }
            if (at >= 0) {
                left.clear(at);
            }
        }
        return new RowSet(from, left);
    }

    /** The rows, ascending. */
    public int[] toArray() {
        int[] rows = new int[cardinality];
        int count = bits.length() == 0 ? 0 : bits.intoArray(0, bits.length(), from, rows);
        if (count != cardinality) {
            throw new IllegalStateException("%d rows where %d were counted".formatted(count, cardinality));
        }
        return rows;
    }
}
