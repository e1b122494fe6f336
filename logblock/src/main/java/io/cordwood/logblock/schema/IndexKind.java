package io.cordwood.logblock.schema;

/** The conversion of a column's values to terms, for the index and for {@code match}. */
public enum IndexKind {
    /** Not searchable by {@code match}; statistics and values answer conditions. */
    NONE,
    /** The whole value is one term. */
    KEYWORD,
    /** The value is cut into tokens by the analyzer. */
    TEXT
}
