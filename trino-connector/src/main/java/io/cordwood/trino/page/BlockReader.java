package io.cordwood.trino.page;

import io.trino.spi.block.Block;
import java.io.IOException;

/** Reads the values of one SQL column at ascending rows as the engine's blocks. Not thread-safe. */
interface BlockReader {
    /** Reads the values at {@code rows[from .. from + count)}, which are ascending and follow all rows read before. */
    Block read(int[] rows, int from, int count) throws IOException;
}
