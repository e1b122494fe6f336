package io.cordwood.benchmarks.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class WarmUpTest {
    @Test
    void goesOnWhileRoundsGetFaster() {
        assertThat(WarmUp.isSteady(List.of(100.0, 95.0, 90.0, 85.0, 80.0, 79.0, 78.0, 77.0, 77.0, 78.0)))
                .isFalse();
    }

    @Test
    void endsWhenTheLastRoundsAreHardlyFasterThanThoseBefore() {
        assertThat(WarmUp.isSteady(List.of(100.0, 95.0, 90.0, 85.0, 80.0, 79.0, 79.0, 78.0, 80.0, 79.0)))
                .isTrue();
    }

    @Test
    void oneSlowRoundDecidesNothing() {
        assertThat(WarmUp.isSteady(List.of(50.0, 49.0, 500.0, 48.0, 50.0, 48.0, 400.0, 50.0, 49.0, 48.0)))
                .isTrue();
    }

    @Test
    void needsEnoughRounds() {
        assertThat(WarmUp.isSteady(List.of(1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0)))
                .isFalse();
    }
}
