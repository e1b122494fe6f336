package io.cordwood.ingest.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.streaming.runtime.tasks.TestProcessingTimeService;
import org.junit.jupiter.api.Test;

class JobClockTest {
    private final AtomicLong wall = new AtomicLong(1_790_000_000_000L);
    private final AtomicLong ticks = new AtomicLong(500);
    private final JobClock clock = new JobClock(wall::get, ticks::get);

    @Test
    void timesOfACheckpointBecomeTicksAndBack() {
        long tick = clock.ticksAt(wall.get() - 60_000);
        assertThat(tick).isEqualTo(500 - 60_000);
        assertThat(clock.wallMillisAt(tick)).isEqualTo(wall.get() - 60_000);
    }

    @Test
    void aTimeThatHasNotComeIsLongAgo() {
        assertThat(clock.ticksAt(wall.get() + 1)).isLessThan(-1_000_000_000_000L);
    }

    @Test
    void ticksOfTheMachineGoOnWhateverTheTimeIs() throws Exception {
        TestProcessingTimeService timers = new TestProcessingTimeService();
        timers.setCurrentTime(wall.get());
        JobClock machine = JobClock.ofMachine(timers);
        assertThat(machine.wallMillis()).isEqualTo(wall.get());
        long before = machine.ticks();
        assertThat(before).isNotNegative();
        timers.setCurrentTime(wall.get() - 3 * 3_600_000);
        assertThat(machine.ticks()).isGreaterThanOrEqualTo(before);
    }
}
