package io.cordwood.ingest.builder;

import java.util.Locale;

/** Why a tenant's rows were flushed. */
enum FlushReason {
    /** They reached the target size. */
    SIZE,
    /** It was the tenant's turn, or they were many and had waited for the minimum age. */
    AGE,
    /** They held W back by too many bytes. */
    LAG,
    /** Memory was short, or too much waited, and they were among the largest. */
    MEMORY,
    /** Somebody waits for them to be in LogBlocks, to delete some. */
    REQUEST,
    /** An attempt before had failed. */
    RETRY;

    String metric() {
        return name().toLowerCase(Locale.ROOT);
    }
}
