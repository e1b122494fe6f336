package io.cordwood.search.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class PaceTest {
    private static final long MILLI = 1_000_000;

    private long now = Long.MAX_VALUE - 50 * MILLI;
    private long slept;
    private final LongWork longWork = new LongWork(1, now);

    private Pace pace(AtomicLong worked) {
        return new Pace(() -> {}, worked, longWork, () -> now, nanos -> {
            slept += nanos;
            now += nanos;
        });
    }

    private void work(Pace pace, int slices, long nanos) {
        for (int i = 0; i < slices; i++) {
            now += nanos;
            pace.run();
        }
    }

    /** Others do long work for that long. */
    private void otherWork(long nanos) {
        longWork.take(now, nanos);
    }

    @Test
    void shortWorkNeverWaits() {
        otherWork(1000 * MILLI);
        work(pace(new AtomicLong()), 50, 2 * MILLI);
        assertThat(slept).isZero();
    }

    @Test
    void longWorkWaitsUntilThatOfOthersHasPassed() {
        Pace pace = pace(new AtomicLong(Pace.SHORT_NANOS));
        otherWork(30 * MILLI);
        work(pace, 1, 2 * MILLI);
        assertThat(slept).isEqualTo(30 * MILLI);
        work(pace, 10, 2 * MILLI);
        assertThat(slept).as("alone it does not wait").isEqualTo(30 * MILLI);
    }

    @Test
    void partsOfOneWorkCountTogether() {
        AtomicLong worked = new AtomicLong();
        work(pace(worked), 25, 2 * MILLI);
        work(pace(worked), 25, 2 * MILLI);
        otherWork(30 * MILLI);
        work(pace(worked), 1, 2 * MILLI);
        assertThat(slept).isEqualTo(30 * MILLI);
    }

    @Test
    void waitingForRowsIsNoWork() {
        AtomicLong worked = new AtomicLong();
        Pace pace = pace(worked);
        now += 500 * MILLI;
        pace.resume();
        work(pace, 1, 2 * MILLI);
        assertThat(worked).hasValue(2 * MILLI);
        work(pace, 1, 500 * MILLI);
        assertThat(worked).hasValue(2 * MILLI + Pace.MAX_SLICE_NANOS);
    }

    @Test
    void anInterruptedThreadDoesNotSleep() {
        Pace pace = pace(new AtomicLong(Pace.SHORT_NANOS));
        otherWork(30 * MILLI);
        Thread.currentThread().interrupt();
        work(pace, 1, 2 * MILLI);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(slept).isZero();
    }

    @Test
    void theCheckEndsTheWork() {
        Pace pace = new Pace(() -> {
            throw new IllegalStateException("no longer wanted");
        });
        assertThatThrownBy(pace::run).hasMessage("no longer wanted");
    }
}
