package io.cordwood.logblock.schema;

/** How the values of a column become terms, for the index and for {@code match} alike. */
public enum IndexKind {
    /** Not searchable by {@code match}; answered by statistics and by reading values. */
    NONE,
    /** The whole value is one term. */
    KEYWORD,
    /** The value is cut into tokens by the analyzer. */
    TEXT
}
