package io.cordwood.balancer.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.balancer.service.PartitionReport.Traffic;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TrafficWindowTest {
    private final TrafficWindow window = new TrafficWindow(10_000);

    private static PartitionReport report(long fromMillis, long toMillis, long records) {
        return new PartitionReport(
                3,
                "w" + toMillis,
                fromMillis,
                toMillis,
                toMillis - fromMillis,
                records,
                toMillis,
                Map.of("acme", new Traffic(records, 10 * records)));
    }

    private PartitionReport sum(PartitionReport latest) {
        return window.sums(List.of(latest)).getFirst();
    }

    @Test
    void reportsOfTheWindowAreSummedUp() {
        assertThat(sum(report(0, 4_000, 8))).isEqualTo(report(0, 4_000, 8));
        // The same report, seen again.
        assertThat(sum(report(0, 4_000, 8))).isEqualTo(report(0, 4_000, 8));
        // One in between was not seen: its time does not count either.
        PartitionReport two = sum(report(6_000, 8_000, 4));
        assertThat(two.worker()).isEqualTo("w8000");
        assertThat(two.fromMillis()).isZero();
        assertThat(two.seconds()).isEqualTo(6);
        assertThat(two.tenants()).containsEntry("acme", new Traffic(12, 120));
        // The first one has left the window.
        assertThat(sum(report(8_000, 14_000, 1)).records()).isEqualTo(5);
        assertThat(sum(report(50_000, 51_000, 1))).isEqualTo(report(50_000, 51_000, 1));
    }

    @Test
    void offsetsAreComparedOverTheWindow() {
        assertThat(earliest(0)).isZero();
        assertThat(earliest(4_000)).isZero();
        assertThat(earliest(9_000)).isZero();
        assertThat(earliest(13_000)).isZero();
        assertThat(earliest(15_000)).isEqualTo(4_000);
        assertThat(earliest(60_000)).isEqualTo(15_000);
    }

    @Test
    void reportsGoOnWhereTheClockIsSetBack() {
        sum(report(90_000, 94_000, 8));
        assertThat(sum(report(10_000, 14_000, 4))).isEqualTo(report(10_000, 14_000, 4));
        assertThat(sum(report(14_000, 18_000, 2)).records()).isEqualTo(6);
    }

    @Test
    void ratesAreOfTheTimeThatHasPassedWhereTheClockIsSetBack() {
        Offsets before = new Offsets(90_000, 1_000, Map.of(0, 100L), Map.of());
        Offsets after = new Offsets(20_000, 6_000, Map.of(0, 200L), Map.of());
        assertThat(window.earliest(before)).isEqualTo(before);
        assertThat(after.arriving(0, window.earliest(after))).isEqualTo(20);
        Offsets later = new Offsets(40_000, 26_000, Map.of(0, 200L), Map.of());
        assertThat(window.earliest(later)).as("what has left the window").isEqualTo(after);
    }

    private long earliest(long atMillis) {
        return window.earliest(new Offsets(atMillis, atMillis, Map.of(), Map.of()))
                .atMillis();
    }
}
