package io.cordwood.benchmarks.balance;

/** A part of {@code bin/bench balance --live}. */
public enum LivePart {
    /** The capacity of a worker on this machine, alone and beside another; workers are not slowed down. */
    CAPACITY(false),
    /** A tenant sends twenty times its rate, without balancing and with it. */
    BURST(false),
    /** A hundred routing tables while rows flow. */
    CHANGES(true),
    /** All tenants together demand ten times the workers' capacity. */
    OVERLOAD(false),
    /** The demand exceeds the cluster's capacity, and the cluster may grow. */
    SCALE(false);

    private final boolean quick;

    LivePart(boolean quick) {
        this.quick = quick;
    }

    /** Whether it has a variant that ends within a minute. */
    public boolean isQuick() {
        return quick;
    }
}
