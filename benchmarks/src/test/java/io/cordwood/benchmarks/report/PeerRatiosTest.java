package io.cordwood.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class PeerRatiosTest {
    private final PeerRatios ratios = new PeerRatios();

    @Test
    void meansAreGeometricAndByKey() {
        ratios.add("t1", 1, 4, 0.1);
        ratios.add("t1", 4, 1, 0.1);
        ratios.add("t50", 3, 1, 0.1);

        assertThat(ratios.means()).containsOnlyKeys("t1", "t50");
        assertThat(ratios.means().get("t1")).isCloseTo(1, within(1e-9));
        assertThat(ratios.means().get("t50")).isCloseTo(3, within(1e-9));
    }

    @Test
    void timesBelowTheNoiseCountAsTheNoise() {
        ratios.add("t1", -0.5, 2, 1);
        ratios.add("t2", -0.5, 0, 1);

        assertThat(ratios.means().get("t1")).isCloseTo(0.5, within(1e-9));
        assertThat(ratios.means().get("t2")).isCloseTo(1, within(1e-9));
    }
}
