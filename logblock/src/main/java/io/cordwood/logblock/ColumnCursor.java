package io.cordwood.logblock;

import java.io.IOException;

/** Reads values of one column at ascending positions, block by block. Not thread-safe. */
public interface ColumnCursor {
    /** Values at {@code rows[from .. from + count)}, ascending and after every row read before. */
    Vector read(int[] rows, int from, int count) throws IOException;
}
