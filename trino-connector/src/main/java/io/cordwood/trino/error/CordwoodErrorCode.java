package io.cordwood.trino.error;

import io.trino.spi.ErrorCode;
import io.trino.spi.ErrorCodeSupplier;
import io.trino.spi.ErrorType;

/**
 * Error codes of the connector, for failures that are not the query's fault. {@link ErrorType#EXTERNAL}: a system
 * outside Trino is unavailable or its data damaged; {@link ErrorType#INTERNAL_ERROR}: a defect of the connector.
 */
public enum CordwoodErrorCode implements ErrorCodeSupplier {
    /** The catalog service did not answer, or refused the request. */
    CORDWOOD_CATALOG_ERROR(0, ErrorType.EXTERNAL),
    /** Table metadata or a manifest could not be read. */
    CORDWOOD_INVALID_METADATA(1, ErrorType.EXTERNAL),
    /** A LogBlock could not be opened: missing, truncated or of an unknown format. */
    CORDWOOD_CANNOT_OPEN_LOGBLOCK(2, ErrorType.EXTERNAL),
    /** An open LogBlock could not be read further. */
    CORDWOOD_CURSOR_ERROR(3, ErrorType.EXTERNAL),
    /** The table has a feature that this version cannot read correctly, such as equality deletes. */
    CORDWOOD_UNSUPPORTED_TABLE(4, ErrorType.EXTERNAL),
    /** A state that should not be possible. */
    CORDWOOD_INTERNAL_ERROR(5, ErrorType.INTERNAL_ERROR),
    /** Kafka no longer has the records that the query needs. */
    CORDWOOD_KAFKA_ERROR(6, ErrorType.EXTERNAL),
    /** Kafka holds more rows than a query may read. */
    CORDWOOD_HOT_TIER_TOO_LARGE(7, ErrorType.INSUFFICIENT_RESOURCES),
    /** Delete files could not be written. */
    CORDWOOD_WRITE_ERROR(8, ErrorType.EXTERNAL),
    /** Rows to delete have moved to other LogBlocks meanwhile: running the statement again helps. */
    CORDWOOD_TABLE_CHANGED(9, ErrorType.EXTERNAL),
    /** Kafka did not answer. */
    CORDWOOD_KAFKA_UNAVAILABLE(10, ErrorType.EXTERNAL),
    /** The ingest job did not flush rows to delete in time. */
    CORDWOOD_FLUSH_TIMEOUT(11, ErrorType.EXTERNAL),
    /** A deletion may or may not have been committed. */
    CORDWOOD_OUTCOME_UNKNOWN(12, ErrorType.EXTERNAL),
    /** The object store did not answer, or could not just then. */
    CORDWOOD_STORE_UNAVAILABLE(13, ErrorType.EXTERNAL);

    private static final int FIRST_CODE = 0x0C0D_0000;

    private final int code;
    private final ErrorType type;

    CordwoodErrorCode(int code, ErrorType type) {
        this.code = code;
        this.type = type;
    }

    @Override
    public ErrorCode toErrorCode() {
        return new ErrorCode(FIRST_CODE + code, name(), type);
    }
}
