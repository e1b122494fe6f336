package io.cordwood.logblock.parquet;

import io.cordwood.logblock.index.FieldIndex;
import io.cordwood.logblock.vector.Vector;
import io.cordwood.logblock.vector.Vectors;

/** Values of a column for consecutive rows. Immutable. */
public sealed interface ColumnPart {
    int rows();

    /** The approximate size of the values in bytes. */
    long valueBytes();

    /** Values in memory. */
    record InMemory(Vector vector) implements ColumnPart {
        @Override
        public int rows() {
            return vector.length();
        }

        @Override
        public long valueBytes() {
            return Vectors.valueBytes(vector);
        }
    }

    /**
     * Whole pages of text of another file, which are copied as they are.
     *
     * @param index the terms of the column there
     * @param from the first page
     * @param to the page after the last one
     */
    record Pages(StoredText text, FieldIndex index, int from, int to) implements ColumnPart {
        /** The first row there. */
        public int firstRow() {
            return text.pages().firstRow(from);
        }

        /** The row after the last one there. */
        public int endRow() {
            return text.pages().firstRow(to);
        }

        @Override
        public int rows() {
            return endRow() - firstRow();
        }

        @Override
        public long valueBytes() {
            long bytes = 0;
            for (int page = from; page < to; page++) {
                bytes += text.pages().valueBytes(page);
            }
            return bytes;
        }
    }
}
