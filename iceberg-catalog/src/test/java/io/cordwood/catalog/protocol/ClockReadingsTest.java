package io.cordwood.catalog.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClockReadingsTest {
    private static final Instant NOW = Instant.parse("2026-03-15T10:00:00Z");
    private static final Instant AHEAD = NOW.plus(Duration.ofDays(3650));
    private static final Instant BEHIND = NOW.minus(Duration.ofDays(3650));

    @Test
    void theEarliestClockCounts() {
        assertThat(earliest(NOW, NOW, NOW)).isEqualTo(NOW);
        assertThat(earliest(AHEAD, NOW, NOW)).as("host ahead").isEqualTo(NOW);
        assertThat(earliest(NOW, AHEAD, NOW)).as("service ahead").isEqualTo(NOW);
        assertThat(earliest(AHEAD, AHEAD, NOW)).as("both ahead").isEqualTo(NOW);
        assertThat(earliest(NOW, NOW, AHEAD)).as("brokers ahead").isEqualTo(NOW);
        assertThat(earliest(BEHIND, NOW, NOW)).as("host behind").isEqualTo(BEHIND);
        assertThat(new ClockReadings(AHEAD, Optional.empty()).earliest(NOW)).isEqualTo(NOW);
    }

    /** While rows come the brokers' time is late by an hour at most. */
    @Test
    void theBrokersTimeIsGivenAnHour() {
        ClockReadings late = new ClockReadings(NOW, Optional.of(NOW.minus(Duration.ofMinutes(59))));
        assertThat(late.earliestToTheHour(NOW)).isEqualTo(NOW);
        assertThat(new ClockReadings(AHEAD, Optional.of(NOW)).earliestToTheHour(AHEAD))
                .as("both ahead")
                .isEqualTo(NOW.plus(Duration.ofHours(1)));
        assertThat(new ClockReadings(AHEAD, Optional.of(NOW)).earliestToTheHour(NOW))
                .isEqualTo(NOW);
    }

    private static Instant earliest(Instant host, Instant service, Instant appended) {
        return new ClockReadings(service, Optional.of(appended)).earliest(host);
    }

    @Test
    void isReadAsItIsWritten() {
        ClockReadings whole = new ClockReadings(NOW, Optional.of(BEHIND));
        assertThat(CatalogJson.time(CatalogJson.timeToJson(whole))).isEqualTo(whole);
        ClockReadings withoutRows = new ClockReadings(NOW, Optional.empty());
        assertThat(CatalogJson.time(CatalogJson.timeToJson(withoutRows))).isEqualTo(withoutRows);
    }
}
