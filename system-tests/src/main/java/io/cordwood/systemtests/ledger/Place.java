package io.cordwood.systemtests.ledger;

/**
 * Where Kafka put a row.
 *
 * @param generation how many times the topic had been made anew
 */
public record Place(int generation, int partition, long offset) {
    private static final int OFFSET_BITS = 40;
    private static final int PARTITION_BITS = 14;

    /** One positive number that says the same. */
    public long packed() {
        return ((long) generation << (OFFSET_BITS + PARTITION_BITS)) | ((long) partition << OFFSET_BITS) | offset;
    }

    public static Place unpacked(long packed) {
        return new Place(
                (int) (packed >> (OFFSET_BITS + PARTITION_BITS)),
                (int) (packed >> OFFSET_BITS) & ((1 << PARTITION_BITS) - 1),
                packed & ((1L << OFFSET_BITS) - 1));
    }
}
