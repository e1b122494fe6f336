package io.cordwood.compaction.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class DayTimesTest {
    private static final int DAY = 20_000;
    private static final OptionalInt AFTER_A_WEEK = OptionalInt.of(7);

    private static long at(int days, int hours) {
        return Duration.ofDays(DAY + days).plusHours(hours).toMillis();
    }

    @Test
    void aDayClosesSevenHoursAfterItsEnd() {
        assertThat(DayTimes.closesMillis(DAY)).isEqualTo(at(1, 7));
    }

    @Test
    void aDayIsDenseSoManyDaysAfterItsEnd() {
        assertThat(DayTimes.isDense(DAY, AFTER_A_WEEK, 0, at(8, 0) - 1)).isFalse();
        assertThat(DayTimes.isDense(DAY, AFTER_A_WEEK, 0, at(8, 0))).isTrue();
        assertThat(DayTimes.isDense(DAY, OptionalInt.empty(), 0, at(8000, 0))).isFalse();
    }

    @Test
    void aDayThatExpiresWithinAWeekIsNotWorthIt() {
        assertThat(DayTimes.isDense(DAY, AFTER_A_WEEK, 30, at(1 + 23, 0) - 1)).isTrue();
        assertThat(DayTimes.isDense(DAY, AFTER_A_WEEK, 30, at(1 + 23, 0))).isFalse();
        assertThat(DayTimes.isDense(DAY, AFTER_A_WEEK, 14, at(8, 0))).isFalse();
    }

    @Test
    void somethingChangesWhenADayClosesAndWhenItIsDue() {
        assertThat(DayTimes.nextChange(IntStream.of(DAY), AFTER_A_WEEK, at(0, 12)))
                .isEqualTo(at(1, 7));
        assertThat(DayTimes.nextChange(IntStream.of(DAY), AFTER_A_WEEK, at(1, 7)))
                .isEqualTo(at(8, 0));
        assertThat(DayTimes.nextChange(IntStream.of(DAY, DAY - 3), AFTER_A_WEEK, at(1, 7)))
                .isEqualTo(at(5, 0));
        assertThat(DayTimes.nextChange(IntStream.of(DAY), AFTER_A_WEEK, at(8, 0)))
                .isEqualTo(Long.MAX_VALUE);
        assertThat(DayTimes.nextChange(IntStream.of(DAY), OptionalInt.empty(), at(1, 7)))
                .isEqualTo(Long.MAX_VALUE);
    }
}
