package io.cordwood.query.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.query.error.QueryException;
import org.junit.jupiter.api.Test;

class DateBinsTest {
    @Test
    void roundsDownOnBothSidesOfTheEpoch() {
        assertThat(DateBins.floorMillis(60_000, 119_999)).isEqualTo(60_000);
        assertThat(DateBins.floorMillis(60_000, 60_000)).isEqualTo(60_000);
        assertThat(DateBins.floorMillis(60_000, -1)).isEqualTo(-60_000);
        assertThat(DateBins.floorMicros(1, 1999)).isEqualTo(1000);
        assertThat(DateBins.floorMicros(7, -7001)).isEqualTo(-14_000);
    }

    @Test
    void refusesIntervalsThatAreNotPositive() {
        assertThatThrownBy(() -> DateBins.floorMillis(0, 5))
                .isInstanceOf(QueryException.class)
                .hasMessageContaining("must be longer than zero");
    }

    @Test
    void refusesWhatOverflows() {
        assertThatThrownBy(() -> DateBins.floorMicros(Long.MAX_VALUE / 10, 5)).hasMessageContaining("too long");
        assertThatThrownBy(() -> DateBins.floorMicros(7, Long.MIN_VALUE)).hasMessageContaining("before the first");
    }
}
