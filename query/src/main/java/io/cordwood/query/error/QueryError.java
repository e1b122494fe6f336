package io.cordwood.query.error;

/** Kinds of failures of a query. */
public enum QueryError {
    /** The catalog service did not answer, or refused. */
    CATALOG_ERROR,
    /** Table metadata or a manifest could not be read. */
    INVALID_METADATA,
    /** A LogBlock could not be opened: missing, truncated or of an unknown format. */
    CANNOT_OPEN_LOGBLOCK,
    /** A LogBlock that was open could not be read further. */
    CURSOR_ERROR,
    /** The table holds something that this version cannot read rightly. */
    UNSUPPORTED_TABLE,
    /** A state that should not be possible. */
    INTERNAL_ERROR,
    /** Kafka did not answer, or no longer has what the query needs. */
    KAFKA_ERROR,
    /** More rows are still in Kafka than a query may read. */
    HOT_TAIL_TOO_LARGE,
    /** Delete files could not be written or committed. */
    WRITE_ERROR,
    /** Rows that were to be deleted have moved to other LogBlocks meanwhile: running the statement again helps. */
    TABLE_CHANGED,
    /** The query has an argument that is not valid. */
    INVALID_ARGUMENT,
    /** A value that the query computes lies outside what its type can hold. */
    OUT_OF_RANGE,
    /** The node's configuration is not valid. */
    INVALID_CONFIGURATION
}
