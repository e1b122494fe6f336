package io.cordwood.ingest.source;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.ingest.runtime.IngestException;
import io.cordwood.ingest.runtime.JobClock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ClockGuardTest {
    private final AtomicLong wall = new AtomicLong(1_790_000_000_000L);
    private final AtomicLong ticks = new AtomicLong();
    private final ClockGuard guard = new ClockGuard(new JobClock(wall::get, ticks::get));

    @Test
    void aClockThatGoesOnOrIsAheadIsNoFailure() {
        pass(Duration.ofHours(1));
        guard.requireNotSetBack();
        wall.addAndGet(-Duration.ofSeconds(30).toMillis());
        guard.requireNotSetBack();
        wall.addAndGet(Duration.ofDays(3650).toMillis());
        guard.requireNotSetBack();
    }

    @Test
    void aClockThatIsSetBackIs() {
        pass(Duration.ofHours(1));
        guard.requireNotSetBack();
        pass(Duration.ofHours(1));
        wall.addAndGet(-Duration.ofHours(3).toMillis());
        assertThatThrownBy(guard::requireNotSetBack)
                .isInstanceOf(IngestException.class)
                .hasMessageStartingWith("The clock was set back by PT3H; restarting");
    }

    /** Connections were made while it was ahead. */
    @Test
    void aClockThatWasAheadAndIsRightAgainIs() {
        wall.addAndGet(Duration.ofDays(1).toMillis());
        guard.requireNotSetBack();
        wall.addAndGet(-Duration.ofDays(1).toMillis());
        assertThatThrownBy(guard::requireNotSetBack).hasMessageContaining("set back by PT24H");
    }

    private void pass(Duration time) {
        wall.addAndGet(time.toMillis());
        ticks.addAndGet(time.toMillis());
    }
}
