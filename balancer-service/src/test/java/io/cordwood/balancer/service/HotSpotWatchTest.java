package io.cordwood.balancer.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class HotSpotWatchTest {
    private final HotSpotWatch watch = new HotSpotWatch(2);

    private boolean observe(double utilisation) {
        return watch.observe(Map.of("partition 3", utilisation, "partition 4", 0.1))
                .contains("partition 3");
    }

    @Test
    void becomesHotAfterSomeRoundsInARow() {
        assertThat(observe(1.2)).isFalse();
        assertThat(observe(0.99)).isFalse();
        assertThat(observe(1.2)).isFalse();
        assertThat(observe(1.2)).isTrue();
    }

    @Test
    void staysHotUntilItIsWellBelow() {
        observe(1.2);
        observe(1.2);
        assertThat(observe(0.95)).isTrue();
        assertThat(observe(0.95)).isTrue();
        assertThat(observe(0.5)).isTrue();
        assertThat(observe(0.95)).isTrue();
        assertThat(observe(0.5)).isTrue();
        assertThat(observe(0.5)).isFalse();
        assertThat(observe(0.95)).isFalse();
    }

    @Test
    void whatIsGoneIsNotHot() {
        observe(1.2);
        observe(1.2);
        assertThat(watch.observe(Map.of())).isEmpty();
        assertThat(observe(1.2)).isFalse();
    }
}
