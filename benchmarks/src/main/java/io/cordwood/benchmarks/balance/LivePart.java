package io.cordwood.benchmarks.balance;

/** A part of {@code bin/bench balance --live}. */
public enum LivePart {
    /** What a worker takes in on this machine, alone and beside another; workers as they are. */
    CAPACITY(false),
    /** A tenant sends twenty times its rate, without balancing and with it. */
    BURST(false),
    /** A hundred tables while rows flow. */
    CHANGES(true),
    /** All tenants together want to send ten times what the workers take. */
    OVERLOAD(false),
    /** They want more than the cluster takes, and it may grow. */
    SCALE(false);

    private final boolean quick;

    LivePart(boolean quick) {
        this.quick = quick;
    }

    /** Whether there is a run of it that ends within a minute. */
    public boolean isQuick() {
        return quick;
    }
}
