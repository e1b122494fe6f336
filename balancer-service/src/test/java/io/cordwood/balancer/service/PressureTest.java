package io.cordwood.balancer.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class PressureTest {
    private static final long WINDOW_MILLIS = 11_000;

    private final Pressure pressure = new Pressure(WINDOW_MILLIS);

    private void look(long atMillis, double taken) {
        look(atMillis, 100, taken);
    }

    private void look(long atMillis, double quota, double taken) {
        pressure.observe(Map.of("acme", 1000.0), Map.of("acme", quota), Map.of("acme", taken), atMillis);
    }

    @Test
    void whoSendsItsQuotaPresses() {
        look(0, 85);
        look(100_000, 85);
        assertThat(pressure.isPressing("acme")).isTrue();
        assertThat(pressure.isPressing("other")).isFalse();
    }

    @Test
    void whoSendsLessForTwoWindowsDoesNot() {
        look(0, 85);
        look(21_999, 75);
        assertThat(pressure.isPressing("acme")).isTrue();
        look(22_000, 75);
        assertThat(pressure.isPressing("acme")).isFalse();
        assertThat(pressure.mayBeMuted("acme")).isFalse();
    }

    @Test
    void whoIsHeldFromNowOnIsGivenTimeToShow() {
        look(50_000, 10);
        assertThat(pressure.isPressing("acme")).isTrue();
    }

    @Test
    void aRaisedQuotaIsNotPressedAgainstByWhatWasSentUnderTheOneBefore() {
        look(0, 95);
        look(10_000, 300, 95);
        assertThat(pressure.isPressing("acme"))
                .as("it may not have been seen yet")
                .isTrue();
        look(22_000, 300, 95);
        assertThat(pressure.isPressing("acme")).isFalse();
    }

    @Test
    void whoIsSilentMayBeMuteAsLongAsItsQuotaNeedsForWhatItSent() {
        look(0, 1000);
        // Eleven seconds of ten times its quota.
        look(131_999, 0);
        assertThat(pressure.isPressing("acme")).isFalse();
        assertThat(pressure.mayBeMuted("acme")).isTrue();
        look(132_000, 0);
        assertThat(pressure.mayBeMuted("acme")).isFalse();
    }

    @Test
    void whoSendsALittleIsNotMute() {
        look(0, 1000);
        look(30_000, 10);
        assertThat(pressure.mayBeMuted("acme")).isFalse();
    }

    @Test
    void thoseWhoPressAreCountedTogetherOnceTheyAreHeldForAWhile() {
        Map<String, Double> taken = Map.of("acme", 90.0, "other", 7.0);
        look(0, 1000);
        look(32_999, 90);
        assertThat(pressure.together(Map.of("acme", 60.0), taken)).isEqualTo(SentSize.Pressing.NONE);
        look(33_000, 90);
        assertThat(pressure.together(Map.of("acme", 60.0, "another", 50.0), taken))
                .isEqualTo(new SentSize.Pressing(60, 7));
        look(90_000, 10);
        assertThat(pressure.together(Map.of("acme", 60.0), taken)).isEqualTo(new SentSize.Pressing(0, 97));
    }
}
