package io.cordwood.ingest.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.ingest.report.TrafficReport.PartitionTraffic;
import io.cordwood.ingest.report.TrafficReport.Traffic;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TrafficReportTest {
    @Test
    void countsByPartitionAndTenantSinceTheLastReport() {
        TrafficCounts counts = new TrafficCounts(1_000);
        counts.add("logs", 3, "acme", 2, 100);
        counts.add("logs", 3, "acme", 1, 50);
        counts.add("logs", 3, "b", 1, 7);
        counts.stands("logs", 3, 70);
        counts.stands("logs", 4, 5);
        TrafficReport report = counts.take("1", 6_000, 6_000);
        PartitionTraffic three =
                new PartitionTraffic(3, 70, Map.of("acme", new Traffic(3, 150), "b", new Traffic(1, 7)));
        assertThat(report)
                .isEqualTo(new TrafficReport(
                        "1", 1_000, 6_000, Map.of("logs", Map.of(3, three, 4, new PartitionTraffic(0, 5, Map.of())))));
        assertThat(counts.take("1", 7_000, 7_000)).isEqualTo(new TrafficReport("1", 6_000, 7_000, Map.of()));
    }

    @Test
    void theJsonIsWhatTheBalancerReads() {
        TrafficReport report = new TrafficReport("1", 1_000, 6_000, Map.of());
        assertThat(report.toJson(3, new PartitionTraffic(2, 80, Map.of("acme", new Traffic(3, 150)))))
                .isEqualTo("{\"partition\":3,\"worker\":\"1\",\"from\":1000,\"to\":6000,\"records\":2,\"position\":80,"
                        + "\"tenants\":{\"acme\":[3,150]}}");
    }

    /** Else the balancer reckons with rates over no time at all. */
    @Test
    void tellsHowLongItCountedWhereTheClockIsSetBack() {
        TrafficCounts counts = new TrafficCounts(1_000);
        assertThat(counts.take("1", 90_000, 6_000)).isEqualTo(new TrafficReport("1", 85_000, 90_000, Map.of()));
        assertThat(counts.take("1", 20_000, 11_000)).isEqualTo(new TrafficReport("1", 15_000, 20_000, Map.of()));
    }
}
