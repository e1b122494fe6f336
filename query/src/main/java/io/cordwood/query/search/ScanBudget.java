package io.cordwood.query.search;

import io.cordwood.hot.ReadLimits;
import io.cordwood.query.search.LimitExceededException.Limit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

/** What one question has used of its limits. Thread-safe. */
final class ScanBudget {
    private static final double MILLIS_PER_SECOND = 1e3;

    private final ScanLimits limits;
    private final BooleanSupplier isGivenUp;
    private final long deadline;
    private final ReadLimits hot;
    private final LongAdder bytes = new LongAdder();

    /**
     * A budget whose time begins now.
     *
     * @param isGivenUp whether the answer is no longer wanted; asked often, by several threads
     */
    ScanBudget(ScanLimits limits, BooleanSupplier isGivenUp) {
        this.limits = limits;
        this.isGivenUp = isGivenUp;
        this.deadline = System.nanoTime() + limits.timeout().toNanos();
        this.hot = new ReadLimits(limits.maxHotBytes(), limits.timeout());
    }

    ReadLimits hot() {
        return hot;
    }

    int threads() {
        return limits.threads();
    }

    /** Counts bytes that a finished part has read. */
    void read(long more) {
        bytes.add(more);
    }

    /** The time that is left, in nanoseconds; at least one. */
    long remainingNanos() {
        return Math.max(1, deadline - System.nanoTime());
    }

    /** The failure of a question whose time is up. */
    LimitExceededException outOfTime() {
        return new LimitExceededException(
                Limit.TIME,
                "The question takes longer than %s seconds"
                        .formatted(limits.timeout().toMillis() / MILLIS_PER_SECOND));
    }

    /**
     * Checks the limits.
     *
     * @param unfinished bytes that a part has read which is not finished yet
     * @throws LimitExceededException if that is too much, or time is up
     * @throws GivenUpException if the answer is no longer wanted
     */
    void check(long unfinished) {
        if (System.nanoTime() - deadline > 0) {
            throw outOfTime();
        }
        if (isGivenUp.getAsBoolean()) {
            throw new GivenUpException();
        }
        if (bytes.sum() + unfinished > limits.maxBytes()) {
            throw new LimitExceededException(
                    Limit.BYTES, "The question reads more than %,d bytes of LogBlocks".formatted(limits.maxBytes()));
        }
    }
}
