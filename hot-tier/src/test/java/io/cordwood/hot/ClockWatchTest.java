package io.cordwood.hot;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ClockWatchTest {
    private final AtomicLong millisAtStart = new AtomicLong(1_790_000_000_000L);
    private final ClockWatch watch = new ClockWatch(millisAtStart::get);

    @Test
    void aClockThatIsSetAheadOrBackALittleWasNotSetBack() {
        assertThat(watch.setBack()).isEmpty();
        set(Duration.ofSeconds(-30));
        assertThat(watch.setBack()).isEmpty();
        set(Duration.ofDays(3650));
        assertThat(watch.setBack()).isEmpty();
    }

    @Test
    void saysOnceThatAClockWasSetBack() {
        set(Duration.ofHours(-3));
        assertThat(watch.setBack()).contains(Duration.ofHours(3));
        assertThat(watch.setBack()).isEmpty();
    }

    @Test
    void aClockThatWasAheadAndIsRightAgainWasSetBack() {
        set(Duration.ofDays(1));
        assertThat(watch.setBack()).isEmpty();
        set(Duration.ofDays(-1));
        assertThat(watch.setBack()).contains(Duration.ofDays(1));
    }

    @Test
    void littleByLittleIsAsMuch() {
        set(Duration.ofSeconds(-40));
        assertThat(watch.setBack()).isEmpty();
        set(Duration.ofSeconds(-40));
        assertThat(watch.setBack()).contains(Duration.ofSeconds(80));
    }

    private void set(Duration by) {
        millisAtStart.addAndGet(by.toMillis());
    }
}
