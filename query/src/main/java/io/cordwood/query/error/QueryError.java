package io.cordwood.query.error;

/** Kinds of query failures. */
public enum QueryError {
    /** The catalog service did not answer, or refused the request. */
    CATALOG_ERROR,
    /** Table metadata or a manifest could not be read. */
    INVALID_METADATA,
    /** A LogBlock could not be opened: missing, truncated or of an unknown format. */
    CANNOT_OPEN_LOGBLOCK,
    /** An open LogBlock could not be read further. */
    CURSOR_ERROR,
    /** The object store did not answer, or could not just then. */
    STORE_UNAVAILABLE,
    /** The table has a feature that this version cannot read correctly. */
    UNSUPPORTED_TABLE,
    /** A state that should not be possible. */
    INTERNAL_ERROR,
    /** Kafka did not answer; the archived rows can be read without it. */
    KAFKA_UNAVAILABLE,
    /** Kafka does not have the records that the query needs, or waiting for them was interrupted. */
    KAFKA_ERROR,
    /** Kafka holds more bytes than {@link io.cordwood.hot.ReadLimits} lets a query read. */
    HOT_TIER_TOO_LARGE,
    /** The ingest job did not flush rows to delete within the statement's timeout; no row was deleted. */
    FLUSH_TIMEOUT,
    /** A deletion may or may not have been committed; the registry of deletions has the outcome later. */
    OUTCOME_UNKNOWN,
    /** Rows to delete have moved to other LogBlocks meanwhile: running the statement again helps. */
    TABLE_CHANGED,
    /** The interval of a time bin is invalid. */
    INVALID_TIME_BIN,
    /** The query names a column that does not exist, or that has another type than it needs. */
    INVALID_COLUMN,
    /** A computed value lies outside the range of its type. */
    OUT_OF_RANGE,
    /** The node's configuration is invalid. */
    INVALID_CONFIGURATION
}
