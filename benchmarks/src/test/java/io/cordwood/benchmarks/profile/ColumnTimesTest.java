package io.cordwood.benchmarks.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ColumnTimesTest {
    private static final long THREAD = 7;

    private final ColumnTimes times = new ColumnTimes();

    @Test
    void samplesAreOfTheWorkThatTheirThreadDid() {
        times.sample(THREAD, at(15));
        times.sample(THREAD, at(25));
        times.work(THREAD, at(20), at(30), "log/blocks");
        times.work(THREAD, at(10), at(20), "log/terms");
        times.sample(THREAD, at(29));

        assertThat(times.samples()).isEqualTo(Map.of("log/terms", 1, "log/blocks", 2));
    }

    @Test
    void samplesBetweenWorksAndOfOtherThreadsAreOfNone() {
        times.work(THREAD, at(10), at(20), "log/terms");
        times.work(THREAD, at(40), at(50), "log/blocks");

        times.sample(THREAD, at(9));
        times.sample(THREAD, at(21));
        times.sample(THREAD + 1, at(15));

        assertThat(times.samples()).isEmpty();
    }

    private static Instant at(long millis) {
        return Instant.ofEpochMilli(millis);
    }
}
