package io.cordwood.balancer.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class PressureTest {
    private static final long WINDOW_MILLIS = 11_000;

    private final Pressure pressure = new Pressure(WINDOW_MILLIS);

    private void observe(long atMillis, double taken) {
        observe(atMillis, 100, taken);
    }

    private void observe(long atMillis, double quota, double taken) {
        pressure.observe(Map.of("acme", 1000.0), Map.of("acme", quota), Map.of("acme", taken), atMillis);
    }

    @Test
    void whoSendsItsQuotaPresses() {
        observe(0, 85);
        observe(100_000, 85);
        assertThat(pressure.isPressing("acme")).isTrue();
        assertThat(pressure.isPressing("other")).isFalse();
    }

    @Test
    void whoSendsLessForTwoWindowsDoesNot() {
        observe(0, 85);
        observe(21_999, 75);
        assertThat(pressure.isPressing("acme")).isTrue();
        observe(22_000, 75);
        assertThat(pressure.isPressing("acme")).isFalse();
        assertThat(pressure.mayBeMuted("acme")).isFalse();
    }

    @Test
    void whoIsHeldFromNowOnIsGivenTimeToShow() {
        observe(50_000, 10);
        assertThat(pressure.isPressing("acme")).isTrue();
    }

    @Test
    void aRaisedQuotaIsNotPressedAgainstByWhatWasSentUnderTheOneBefore() {
        observe(0, 95);
        observe(10_000, 300, 95);
        assertThat(pressure.isPressing("acme"))
                .as("it may not have been seen yet")
                .isTrue();
        observe(22_000, 300, 95);
        assertThat(pressure.isPressing("acme")).isFalse();
    }

    @Test
    void whoIsSilentMayBeMuteAsLongAsItsQuotaNeedsForWhatItSent() {
        observe(0, 1000);
        // Eleven seconds of ten times its quota.
        observe(131_999, 0);
        assertThat(pressure.isPressing("acme")).isFalse();
        assertThat(pressure.mayBeMuted("acme")).isTrue();
        observe(132_000, 0);
        assertThat(pressure.mayBeMuted("acme")).isFalse();
    }

    @Test
    void whoSendsALittleIsNotMute() {
        observe(0, 1000);
        observe(30_000, 10);
        assertThat(pressure.mayBeMuted("acme")).isFalse();
    }

    @Test
    void thoseWhoPressAreCountedTogetherOnceTheyAreHeldForAWhile() {
        Map<String, Double> taken = Map.of("acme", 90.0, "other", 7.0);
        observe(0, 1000);
        observe(32_999, 90);
        assertThat(pressure.together(Map.of("acme", 60.0), taken)).isEqualTo(SentSize.Pressing.NONE);
        observe(33_000, 90);
        assertThat(pressure.together(Map.of("acme", 60.0, "another", 50.0), taken))
                .isEqualTo(new SentSize.Pressing(60, 7));
        observe(90_000, 10);
        assertThat(pressure.together(Map.of("acme", 60.0), taken)).isEqualTo(new SentSize.Pressing(0, 97));
    }
}
