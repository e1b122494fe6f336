package io.cordwood.query.usage;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.usage.Scans;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a node tells of the hours in which it read. */
class ScanMeterTest {
    private static final long HOUR = 480_000;

    private final List<Scans> reports = new ArrayList<>();
    private boolean isServiceAway;
    private long hour = HOUR;
    private final InstantSource hours = () -> Instant.ofEpochMilli(TimeUnit.HOURS.toMillis(hour));
    private final ScanMeter meter = new ScanMeter(this::take, 1_000_000, hours.withZone(ZoneOffset.UTC));

    private void take(Scans report) {
        if (isServiceAway) {
            throw new IllegalStateException("away");
        }
        reports.add(report);
    }

    @Test
    void anHourIsClosedOnceWhenNobodyAddsToItAnyMore() {
        meter.read("acme", "logs", 7);
        meter.report();
        assertThat(last().totals()).containsExactly(total(7));
        assertThat(last().firstOpenHour()).isLessThan(HOUR);
        hour = HOUR + 1;
        meter.report();
        assertThat(reports).as("no news").hasSize(1);
        hour = HOUR + 2;
        meter.report();
        assertThat(last().totals()).isEmpty();
        assertThat(last().firstOpenHour()).isEqualTo(HOUR + 1);
        meter.report();
        assertThat(reports).hasSize(2);
    }

    @Test
    void anHourStaysOpenWhileTheServiceIsAway() {
        meter.read("acme", "logs", 7);
        isServiceAway = true;
        hour = HOUR + 30;
        try {
            meter.report();
        } catch (IllegalStateException e) {
            assertThat(e).hasMessage("away");
        }
        isServiceAway = false;
        meter.report();
        assertThat(reports).singleElement().satisfies(report -> {
            assertThat(report.totals()).containsExactly(total(7));
            assertThat(report.firstOpenHour()).isEqualTo(HOUR + 29);
        });
    }

    @Test
    void allHoursAreClosedAtShutdown() {
        meter.read("acme", "logs", 7);
        meter.report();
        meter.close();
        assertThat(last().totals()).isEmpty();
        assertThat(last().firstOpenHour()).isEqualTo(HOUR + 1);
    }

    private Scans last() {
        return reports.getLast();
    }

    private static Scans.Total total(long bytes) {
        return new Scans.Total("acme", "logs", HOUR, bytes);
    }
}
