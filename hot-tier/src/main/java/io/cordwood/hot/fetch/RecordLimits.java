package io.cordwood.hot.fetch;

/** Limits of unpacked records. A record beyond them has no row, and becomes a dead letter. */
public final class RecordLimits {
    /** Bytes of a whole record, with key, headers and value: the 16 MB that a topic takes, plus headroom. */
    public static final int MAX_BYTES = 20 << 20;

    /** Bytes of a record without a value, which always becomes a dead letter. No poll can leave it for the next one. */
    static final int MAX_BYTES_WITHOUT_VALUE = 16 << 10;

    /** Memory of a header besides its bytes. */
    static final int HEADER_BYTES = 128;

    /** Unpacked bytes of a batch: enough to reach the records behind the largest possible one. */
    static final long MAX_BATCH_BYTES = 2L << 30;

    /**
     * Bytes of a snappy block, which is unpacked as a whole. Most producers write blocks of 32 KB, some a single block
     * per batch.
     */
    static final int MAX_SNAPPY_BYTES = 64 << 20;

    static final int MAX_VARINT_BYTES = 5;
    static final int MAX_VARLONG_BYTES = 10;

    /** Limit of the keys that are kept of refused records. Longer keys name no tenant. */
    static final int MAX_KEPT_KEY_BYTES = 128;

    private RecordLimits() {}
}
