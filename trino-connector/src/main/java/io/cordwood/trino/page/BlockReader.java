package io.cordwood.trino.page;

import io.trino.spi.block.Block;
import java.io.IOException;

/** Reads the values of one SQL column at ascending rows as the engine wants them. Not thread-safe. */
interface BlockReader {
    /** Values at {@code rows[from .. from + count)}, ascending and after every row read before. */
    Block read(int[] rows, int from, int count) throws IOException;
}
