package io.cordwood.systemtests.ledger;

/**
 * The place of a row in Kafka.
 *
 * @param generation number of times that the topic had been recreated
 */
public record Place(int generation, int partition, long offset) {
    private static final int OFFSET_BITS = 40;
    private static final int PARTITION_BITS = 14;

    /** The place as one positive number. */
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
