package io.cordwood.ingest.builder;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ThrottleTest {
    private static final int LIMIT = 32 << 10;

    private final List<Long> pauses = new ArrayList<>();
    private final Throttle throttle = new Throttle(LIMIT, pauses::add);

    @Test
    void readsAtFullSpeedUpToTheLimit() throws Exception {
        throttle.waiting(LIMIT);
        throttle.pause(1 << 30);
        assertThat(pauses).isEmpty();
    }

    @Test
    void readsAMegabyteASecondAtTheLimitAndLessAboveIt() {
        throttle.waiting(LIMIT + 1);
        assertThat(throttle.pauseMillis(100_000)).isEqualTo(100);
        throttle.waiting(LIMIT + LIMIT / 6 + 1);
        assertThat(throttle.pauseMillis(100_000)).isEqualTo(200);
        throttle.waiting(10L * LIMIT);
        assertThat(throttle.pauseMillis(10_000)).isEqualTo(640);
    }

    @Test
    void pausesForSmallBatchesTogether() throws Exception {
        throttle.waiting(LIMIT + 1);
        for (int batch = 0; batch < 10; batch++) {
            throttle.pause(1000);
        }
        assertThat(pauses).containsExactly(10L);
    }

    @Test
    void longPausesAreTakenInParts() {
        throttle.waiting(LIMIT + 1);
        assertThat(throttle.pauseMillis(1_500_000)).isEqualTo(1000);
        assertThat(throttle.pauseMillis(0)).isEqualTo(500);
        assertThat(throttle.pauseMillis(0)).isZero();
    }

    @Test
    void owesNothingOnceRowsWereWritten() {
        throttle.waiting(LIMIT + 1);
        assertThat(throttle.pauseMillis(10_000_000)).isEqualTo(1000);
        throttle.waiting(LIMIT);
        assertThat(throttle.pauseMillis(1 << 20)).isZero();
        throttle.waiting(LIMIT + 1);
        assertThat(throttle.pauseMillis(0)).isZero();
    }
}
