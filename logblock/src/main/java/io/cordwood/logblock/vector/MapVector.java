package io.cordwood.logblock.vector;

/**
 * A vector of MAP values: position {@code i} has the entries {@code [entryOffsets[i] .. entryOffsets[i + 1])} of {@code
 * keys} and {@code values}. Keys are never null, values may be. A null position has no entries.
 */
public record MapVector(int[] entryOffsets, StringVector keys, StringVector values, int length, NullMask nulls)
        implements Vector {}
