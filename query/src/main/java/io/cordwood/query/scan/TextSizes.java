package io.cordwood.query.scan;

import java.io.IOException;

/** The approximate sizes of rows of a LogBlock. Not thread-safe. */
@FunctionalInterface
public interface TextSizes {
    /**
     * The approximate bytes of a row's text.
     *
     * @param row its number in the LogBlock
     * @throws IOException if the sizes cannot be read
     */
    long bytes(int row) throws IOException;
}
