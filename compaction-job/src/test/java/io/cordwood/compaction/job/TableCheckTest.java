package io.cordwood.compaction.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.compaction.job.TableCheck.Days;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TableCheckTest {
    private static final long NOW = Duration.ofDays(20_000).toMillis();
    private static final long TICK = -5;

    private static Days daysDue(TableCheck last, String metadataLocation, Duration later) {
        return last.daysDue(metadataLocation, NOW + later.toMillis(), TICK + later.toNanos(), false);
    }

    /** A check of all days, after which a day closes. */
    private static TableCheck withoutMerges(Duration untilClose) {
        return TableCheck.ofAllDays("v1", false, false, TICK, NOW + untilClose.toMillis());
    }

    private static TableCheck withoutOpenDays() {
        return TableCheck.ofAllDays("v1", false, false, TICK, Long.MAX_VALUE);
    }

    @Test
    void aTableThatWasNeverCheckedIsCheckedWhole() {
        assertThat(daysDue(TableCheck.ALL_DUE, "v1", Duration.ZERO)).isEqualTo(Days.ALL);
    }

    @Test
    void anUnchangedTableWaitsUntilADayCloses() {
        TableCheck check = withoutMerges(Duration.ofHours(7));
        assertThat(daysDue(check, "v1", Duration.ofMinutes(30))).isEqualTo(Days.NONE);
        assertThat(daysDue(check, "v1", Duration.ofHours(6))).isEqualTo(Days.NONE);
        assertThat(daysDue(check, "v1", Duration.ofHours(7))).isEqualTo(Days.ALL);
    }

    @Test
    void anUnchangedTableWithoutOpenDaysIsNotCheckedAgain() {
        assertThat(daysDue(withoutOpenDays(), "v1", Duration.ofDays(1000))).isEqualTo(Days.NONE);
    }

    @Test
    void anUnchangedTableWithDeletesIsCheckedEachHour() {
        TableCheck check = TableCheck.ofAllDays("v1", false, false, TICK, 0);
        assertThat(daysDue(check, "v1", Duration.ofMinutes(59))).isEqualTo(Days.NONE);
        assertThat(daysDue(check, "v1", Duration.ofMinutes(60))).isEqualTo(Days.ALL);
    }

    @Test
    void aTableThatChangesIsCheckedInItsRecentDaysAndWholeOnceAnHour() {
        assertThat(daysDue(withoutOpenDays(), "v2", Duration.ofMinutes(59))).isEqualTo(Days.RECENT);
        assertThat(daysDue(withoutOpenDays(), "v2", Duration.ofMinutes(60))).isEqualTo(Days.ALL);
    }

    @Test
    void lateRowsAreFoundWhenTheTableDoesNotChangeAnyMore() {
        TableCheck check = withoutOpenDays().thenRecentDays("v2", false, false);
        assertThat(daysDue(check, "v2", Duration.ofMinutes(59))).isEqualTo(Days.NONE);
        assertThat(daysDue(check, "v2", Duration.ofMinutes(60))).isEqualTo(Days.ALL);
    }

    @Test
    void mergesThatWerePostponedAreFoundAgain() {
        TableCheck all = TableCheck.ofAllDays("v1", true, false, TICK, Long.MAX_VALUE);
        assertThat(daysDue(all, "v1", Duration.ofMinutes(1))).isEqualTo(Days.ALL);
        TableCheck check = withoutOpenDays().thenRecentDays("v1", true, false);
        assertThat(daysDue(check, "v1", Duration.ofMinutes(1))).isEqualTo(Days.RECENT);
    }

    @Test
    void mergesForTheLayoutWaitForTheirCycle() {
        TableCheck all = TableCheck.ofAllDays("v1", false, true, TICK, Long.MAX_VALUE);
        TableCheck recent = withoutOpenDays().thenRecentDays("v1", false, true);
        for (TableCheck check : List.of(all, recent, all.thenRecentDays("v1", false, false))) {
            assertThat(check.daysDue("v1", NOW, TICK, false)).isEqualTo(Days.NONE);
            assertThat(check.daysDue("v1", NOW, TICK, true)).isEqualTo(Days.ALL);
        }
        assertThat(withoutOpenDays().daysDue("v1", NOW, TICK, true)).isEqualTo(Days.NONE);
    }
}
