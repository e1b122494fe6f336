package io.cordwood.query.scan;

import io.cordwood.logblock.vector.Vector;
import java.io.IOException;

/** Reads the values of one SQL column at ascending rows. Not thread-safe. */
public interface ColumnReader {
    /** Reads the values at {@code rows[from .. from + count)}, which are ascending and follow all rows read before. */
    Vector read(int[] rows, int from, int count) throws IOException;
}
