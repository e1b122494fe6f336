package io.cordwood.routing;

/**
 * A partition that a tenant's records go to, and its share of them. Immutable.
 *
 * @param partition partition of the stream's topic, from 0
 * @param weight share of the tenant's traffic, above 0 and at most 1
 */
public record Route(int partition, double weight) {
    public Route {
        if (partition < 0) {
            throw new IllegalArgumentException("A route's partition cannot be negative: " + partition);
        }
        if (!(weight > 0 && weight <= 1)) {
            throw new IllegalArgumentException("A route's weight must be above 0 and at most 1, but partition %d has %s"
                    .formatted(partition, weight));
        }
    }
}
