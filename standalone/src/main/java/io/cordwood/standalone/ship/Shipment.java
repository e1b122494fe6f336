package io.cordwood.standalone.ship;

/**
 * How a shipment stands.
 *
 * @param sent records handed to the producer
 * @param acknowledged records that Kafka has acknowledged
 * @param bytes bytes of the values sent
 * @param failure why the first record that was not acknowledged was not; empty if there is none
 */
public record Shipment(long sent, long acknowledged, long bytes, String failure) {
    /** Whether every record sent so far and refused by none may still arrive. */
    public boolean failed() {
        return !failure.isEmpty();
    }
}
