package io.cordwood.balancer.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.cordwood.balancer.plan.Cluster;
import io.cordwood.balancer.plan.TenantDemand;
import io.cordwood.balancer.service.PartitionReport.Traffic;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LoadTest {
    private static final long NOW = 1_000_000;
    private static final Offsets EARLIER = new Offsets(NOW - 10_000, NOW - 10_000, Map.of(0, 0L, 1, 500L), Map.of());
    private static final Offsets OFFSETS = new Offsets(NOW, NOW, Map.of(0, 1_000L, 1, 500L, 2, 0L), Map.of(0, 400L));

    private static PartitionReport report(int partition, String worker, long toMillis, long records) {
        return new PartitionReport(
                partition,
                worker,
                toMillis - 10_000,
                toMillis,
                10_000,
                records,
                400,
                Map.of("acme", new Traffic(records, 100 * records)));
    }

    private static Load load(PartitionReport... reports) {
        return Load.of(List.of(reports), OFFSETS, EARLIER, Map.of("0", new FlinkView.Usage(0.7, 0.1)), 60_000);
    }

    @Test
    void ratesAreWhatTheJobTookInBySecond() {
        Load load = load(report(0, "0", NOW, 1_000), report(1, "1", NOW, 0));
        assertThat(load.tenants()).hasEntrySatisfying("acme", rate -> {
            assertThat(rate.rows()).isCloseTo(100, within(1e-9));
            assertThat(rate.bytes()).isCloseTo(10_000, within(1e-9));
        });
        assertThat(load.partitions().get(0)).isEqualTo(new Load.PartitionRate("0", 10_000, 100, 600));
        assertThat(load.countedFromMillis()).isEqualTo(NOW - 10_000);
        // No report names it: it counts to a worker with the fewest partitions.
        assertThat(load.partitions().get(2)).isEqualTo(new Load.PartitionRate("0", 0, 0, 0));
        assertThat(load.workers())
                .containsExactly(
                        new Load.WorkerRate("0", 10_000, new FlinkView.Usage(0.7, 0.1)),
                        new Load.WorkerRate("1", 0, FlinkView.Usage.UNKNOWN));
    }

    @Test
    void whereMoreArrivesThanIsTakenInTheEndsCount() {
        // 100 records a second arrive, 25 are taken in.
        Load load = load(report(0, "0", NOW, 250));
        assertThat(load.tenants().get("acme").bytes()).isCloseTo(10_000, within(1e-9));
        assertThat(load.tenants().get("acme").takenBytes()).isCloseTo(2_500, within(1e-9));
    }

    @Test
    void whatComesIsNotWhatIsTakenInOfABacklog() {
        assertThat(load(report(0, "0", NOW, 5_000)).arrivingBytes()).isCloseTo(10_000, within(1e-9));
        assertThat(load(report(0, "0", NOW, 250)).arrivingBytes()).isCloseTo(10_000, within(1e-9));
        assertThat(load().arrivingBytes()).isZero();
    }

    @Test
    void whatWaitsTakesItsTimeToBeTakenIn() {
        // Of 1,000 records 400 were taken in, 25 a second.
        assertThat(load(report(0, "0", NOW, 250)).delaySeconds()).isCloseTo(24, within(1e-9));
        // 200 of them came in the two seconds since then.
        assertThat(load(report(0, "0", NOW - 2_000, 250)).delaySeconds()).isCloseTo(16, within(1e-9));
        assertThat(load(report(0, "1", NOW, 250), report(1, "0", NOW, 1000)).delaySeconds())
                .isCloseTo(24, within(1e-9));
        // It takes from the other partition for now.
        assertThat(load(report(0, "0", NOW, 0), report(1, "0", NOW, 350)).delaySeconds())
                .isCloseTo((600 + 100) / 35.0, within(1e-9));
    }

    @Test
    void howLongItTakesIsNotKnownWhereNothingIsTakenInOrReported() {
        assertThat(load(report(0, "0", NOW, 0)).delaySeconds()).isInfinite();
        assertThat(load(report(1, "0", NOW, 1_000)).delaySeconds())
                .as("records arrive at a partition without a report")
                .isInfinite();
        assertThat(load(report(0, "0", NOW - 61_000, 250)).delaySeconds()).isInfinite();
        Offsets calm = new Offsets(NOW, NOW, Map.of(0, 401L, 1, 400L), Map.of());
        assertThat(Load.of(List.of(report(0, "0", NOW, 0), report(1, "0", NOW, 0)), calm, calm, Map.of(), 60_000)
                        .delaySeconds())
                .as("it may be the marker of a transaction")
                .isZero();
    }

    @Test
    void oldReportsAndUnknownPartitionsDoNotCount() {
        Load load = load(report(0, "0", NOW - 61_000, 1_000), report(7, "0", NOW, 1_000));
        assertThat(load.tenants()).isEmpty();
        // It runs, though it reports nothing, by Flink's account.
        assertThat(load.workers()).extracting(Load.WorkerRate::worker).containsExactly("0");
        assertThat(Load.of(List.of(), OFFSETS, EARLIER, Map.of(), 60_000)
                        .partitions()
                        .get(0)
                        .worker())
                .isEmpty();
    }

    @Test
    void aClusterHasThePartitionsOfItsWorkers() {
        Cluster cluster = load(report(0, "0", NOW, 1), report(1, "0", NOW, 1)).cluster(new Capacities(10, 20, 0.5));
        assertThat(cluster.partitions()).hasSize(3);
        assertThat(cluster.workers()).singleElement().satisfies(worker -> {
            assertThat(worker.partitions()).containsExactly(0, 1, 2);
            assertThat(worker.capacity()).isEqualTo(20);
        });
        assertThat(load(report(0, "0", NOW, 1)).demands(List.of("acme", "silent")))
                .extracting(TenantDemand::tenant)
                .containsExactly("acme", "silent");
    }

    @Test
    void reportsAreReadAsTheJobWritesThem() {
        assertThat(PartitionReport.parse("{\"partition\":3,\"worker\":\"1\",\"from\":1000,\"to\":6000,\"records\":2,"
                        + "\"tenants\":{\"acme\":[3,150]}}"))
                .isEqualTo(new PartitionReport(
                        3, "1", 1_000, 6_000, 5_000, 2, PartitionReport.UNKNOWN, Map.of("acme", new Traffic(3, 150))));
        assertThat(PartitionReport.parse(
                                "{\"partition\":3,\"worker\":\"1\",\"from\":1000,\"to\":6000,\"records\":2,\"position\":80,\"tenants\":{}}")
                        .position())
                .isEqualTo(80);
        for (String wrong : List.of("", "rubbish", "{}", "{\"partition\":3,\"tenants\":{\"a\":[]}}")) {
            assertThatThrownBy(() -> PartitionReport.parse(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
