package io.cordwood.logblock.index;

import io.cordwood.logblock.schema.Column;

/** Is told distinct terms, by one thread. */
@FunctionalInterface
public interface TermVisitor {
    /**
     * A term, which is {@code bytes[from .. from + length)}.
     *
     * @return whether more are wanted
     */
    boolean visit(Column column, byte[] bytes, int from, int length);
}
