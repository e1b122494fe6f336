package io.cordwood.logblock.schema;

/**
 * The types of LogBlock columns.
 *
 * <p>Each maps to one Parquet physical type, one Iceberg type and one SQL type; see {@code SPEC.md}, "Types".
 */
public enum ColumnType {
    /** UTF-8 text. */
    VARCHAR,
    /** 64-bit signed integer. */
    BIGINT,
    /** IEEE 754 binary64. */
    DOUBLE,
    BOOLEAN,
    /** An instant in microseconds since 1970-01-01T00:00:00Z. */
    TIMESTAMP,
    /** A map of text to text. */
    MAP
}
