package io.cordwood.query.language;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.logblock.schema.TimeRange;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SearchTimeTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.000006999Z");

    @ParameterizedTest
    @CsvSource({
        "2026-01-02T03:04:05Z, 2026-01-02T03:04:05Z",
        "2026-01-02t03:04:05z, 2026-01-02T03:04:05Z",
        "2026-01-02 03:04:05Z, 2026-01-02T03:04:05Z",
        "2026-01-02T03:04:05.1Z, 2026-01-02T03:04:05.1Z",
        "2026-01-02T03:04:05.1234567891234Z, 2026-01-02T03:04:05.123456Z",
        "1960-01-02T03:04:05.1234569Z, 1960-01-02T03:04:05.123456Z",
        "2026-01-02T03:04:05+01:30, 2026-01-02T01:34:05Z",
        "2026-01-02T03:04:05-00:00, 2026-01-02T03:04:05Z",
        "2026-01-02, 2026-01-02T00:00:00Z",
        "0, 1970-01-01T00:00:00Z",
        "-1, 1969-12-31T23:59:59.999999Z",
        "1767323045000006, 2026-01-02T03:04:05.000006Z",
        "now, 2026-01-02T03:04:05.000006Z",
        "now-5s, 2026-01-02T03:04:00.000006Z",
        "now+15m, 2026-01-02T03:19:05.000006Z",
        "now-3h, 2026-01-02T00:04:05.000006Z",
        "now-1d, 2026-01-01T03:04:05.000006Z",
        "now-1w, 2025-12-26T03:04:05.000006Z"
    })
    void readsATime(String text, Instant expected) {
        assertThat(SearchTime.parse(text, NOW).map(SearchTime::micros))
                .contains(expected.getEpochSecond() * 1_000_000 + expected.getNano() / 1000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "yesterday",
                "2026-01-02T03:04:05",
                "2026-01-02T03:04Z",
                "2026-13-02",
                "2026-02-29T00:00:00Z",
                "2026-01-02T24:00:00Z",
                "2026-01-02T03:04:05+25:00",
                "2026-01-02  03:04:05Z",
                "١",
                "9223372036854775808",
                "NOW",
                "now-",
                "now-5",
                "now-5y",
                "now-999999999999999999w",
                "now-1h-1m"
            })
    void anythingElseIsNone(String text) {
        assertThat(SearchTime.parse(text, NOW)).isEmpty();
    }

    @Test
    void aDateStandsForTheWholeDay() {
        assertThat(SearchTime.parse("1970-01-02", NOW).orElseThrow().span())
                .isEqualTo(new TimeRange(86_400_000_000L, 2 * 86_400_000_000L - 1));
        assertThat(SearchTime.parse("7", NOW).orElseThrow().span()).isEqualTo(new TimeRange(7, 7));
    }
}
