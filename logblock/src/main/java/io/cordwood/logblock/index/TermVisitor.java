package io.cordwood.logblock.index;

import io.cordwood.logblock.schema.Column;

/** A visitor of distinct terms. One thread calls it. */
@FunctionalInterface
public interface TermVisitor {
    /**
     * Visits the term {@code bytes[from .. from + length)}.
     *
     * @return whether to continue
     */
    boolean visit(Column column, byte[] bytes, int from, int length);
}
