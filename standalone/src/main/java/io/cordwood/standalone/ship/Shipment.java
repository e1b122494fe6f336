package io.cordwood.standalone.ship;

/**
 * The progress of a shipment.
 *
 * @param sent rows handed to the producer
 * @param acknowledged rows that Kafka has acknowledged
 * @param bytes bytes of the values sent
 * @param failure the error of the first record that failed; empty if none has failed
 */
public record Shipment(long sent, long acknowledged, long bytes, String failure) {
    /** Whether a record has failed. */
    public boolean failed() {
        return !failure.isEmpty();
    }
}
