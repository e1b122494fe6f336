package io.cordwood.systemtests.balance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class IngestReportTest {
    private static PartitionEnds ends() {
        PartitionEnds ends = new PartitionEnds();
        ends.add(1000, 100);
        ends.add(2000, 100);
        ends.add(3000, 300);
        return ends;
    }

    private static IngestReport interval(String worker, long from, long records, long lag) {
        return new IngestReport(0, worker, from, from + 1000, records, 100 * records, Map.of(), 0, lag, 0);
    }

    @Test
    void endsMoveEvenlyBetweenPolls() {
        assertThat(ends().endAt(0)).isEqualTo(100);
        assertThat(ends().endAt(1500)).isEqualTo(100);
        assertThat(ends().endAt(2500)).isEqualTo(200);
        assertThat(ends().endAt(9000)).isEqualTo(300);
        assertThat(ends().millisOf(100)).isEqualTo(2000);
        assertThat(ends().millisOf(150)).isEqualTo(2250);
    }

    @Test
    void whatIsLeftFollowsFromTheEndAtTheTime() throws IOException {
        IngestReport report = report(150);

        assertThat(report.bytes()).isEqualTo(4500);
        assertThat(report.rows()).isEqualTo(Map.of("a", 40L, "b", 10L));
        assertThat(report.left(ends())).returns(150L, IngestReport::lag).returns(750L, IngestReport::delayMillis);
        assertThat(report(300).left(ends())).returns(0L, IngestReport::lag).returns(0L, IngestReport::delayMillis);
    }

    private static IngestReport report(long position) throws IOException {
        return IngestReport.parse("""
                {"partition":0,"worker":"1","from":2000,"to":3000,"records":50,"position":%d,
                "tenants":{"a":[40,4000],"b":[10,500]}}
                """.formatted(position));
    }

    @Test
    void capacityIsWhatIsTakenInWhileSomethingIsLeft() {
        Map<String, Saturation.Capacity> capacities = Saturation.capacities(List.of(
                interval("0", 0, 10, 500), // The flood began in the middle.
                interval("0", 1000, 200, 300),
                interval("0", 2000, 220, 80),
                interval("0", 3000, 80, 0),
                interval("1", 0, 5, 0)));

        assertThat(capacities).containsOnlyKeys("0");
        assertThat(capacities.get("0").rowsPerSecond()).isCloseTo(210, within(0.01));
        assertThat(capacities.get("0").bytesPerSecond()).isCloseTo(21_000, within(0.01));
    }
}
