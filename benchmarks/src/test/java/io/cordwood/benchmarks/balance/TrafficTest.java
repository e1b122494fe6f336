package io.cordwood.benchmarks.balance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cordwood.balancer.plan.Cluster;
import io.cordwood.balancer.plan.TenantDemand;
import io.cordwood.routing.Route;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TrafficTest {
    /** Two partitions of 76,500 rows/s on a worker each. */
    private final Cluster cluster = SimulatedCluster.of(4, 2);

    private static Traffic traffic(Cluster cluster, double demand, Route... routes) {
        return Traffic.of(cluster, List.of(new TenantDemand("acme", demand)), Map.of("acme", List.of(routes)));
    }

    @Test
    void aPartitionPassesOnItsCapacity() {
        Traffic traffic = traffic(cluster, 100_000, new Route(0, 1));
        assertThat(traffic.throughput()).isCloseTo(76_500, within(1e-6));
        assertThat(traffic.hotPartitions()).isEqualTo(1);
        assertThat(traffic.batchMillis()).isGreaterThan(2_000);
    }

    @Test
    void aWorkerTakesInItsCapacity() {
        Traffic traffic = traffic(cluster, 150_000, new Route(0, 0.5), new Route(2, 0.5));
        assertThat(traffic.throughput()).isCloseTo(120_000, within(1e-6));
        assertThat(traffic.hotPartitions()).isEqualTo(2);
        assertThat(traffic.workerDeviation()).isCloseTo(75_000, within(1e-6));
        assertThat(traffic.partitionDeviation()).isCloseTo(37_500, within(1e-6));
    }

    @Test
    void whatIsLevelComesThroughSoon() {
        Traffic traffic = traffic(
                cluster, 100_000, new Route(0, 0.25), new Route(1, 0.25), new Route(2, 0.25), new Route(3, 0.25));
        assertThat(traffic.throughput()).isEqualTo(100_000);
        assertThat(traffic.partitionDeviation()).isZero();
        // 13.1 ms in the partition, 8.3 in the worker, and some waiting.
        assertThat(traffic.p99BatchMillis()).isBetween(21.0, 30.0);
    }

    @Test
    void nothingComesThroughPartitionsWithoutAWorker() {
        Cluster one = SimulatedCluster.of(4, 2, List.of(1));
        assertThat(traffic(one, 100, new Route(1, 1)).throughput()).isZero();
    }
}
