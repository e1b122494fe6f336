package io.cordwood.ingest.builder;

import java.util.Locale;

/** The reason of a flush. */
enum FlushReason {
    /** The rows reached the target size. */
    SIZE,
    /** The tenant's slot came, or many rows had waited for the minimum age. */
    AGE,
    /** The rows held archived-through back by too many bytes. */
    LAG,
    /** Memory was short, or too many rows waited, and the tenant was among the largest. */
    MEMORY,
    /** A client waits for the rows to be in LogBlocks, to delete some. */
    REQUEST,
    /** An earlier attempt had failed. */
    RETRY;

    String metric() {
        return name().toLowerCase(Locale.ROOT);
    }
}
