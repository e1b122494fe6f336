package io.cordwood.hot.fetch;

/** How much of a record is unpacked. What is beyond has no row, and is a dead letter. */
public final class RecordLimits {
    /** Bytes of a whole record, key and headers and value: 16 MB, which a topic takes, and room for the others. */
    public static final int MAX_BYTES = 20 << 20;

    /**
     * Bytes of a record without a value, which is a dead letter whatever it is. No poll can leave it for the next one.
     */
    static final int MAX_BYTES_WITHOUT_VALUE = 16 << 10;

    /** What a header takes in memory besides its bytes. */
    static final int HEADER_BYTES = 128;

    /** Bytes of a batch that are unpacked: enough to come to what is behind the largest record that there can be. */
    static final long MAX_BATCH_BYTES = 2L << 30;

    /**
     * Bytes of a block of snappy, which is unpacked whole. Most producers make blocks of 32 KB, some one of each batch.
     */
    static final int MAX_SNAPPY_BYTES = 64 << 20;

    static final int MAX_VARINT_BYTES = 5;
    static final int MAX_VARLONG_BYTES = 10;

    /** Keys beyond it name no tenant, and are not kept of a record that is refused. */
    static final int MAX_KEPT_KEY_BYTES = 128;

    private RecordLimits() {}
}
