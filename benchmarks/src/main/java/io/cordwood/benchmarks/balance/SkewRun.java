package io.cordwood.benchmarks.balance;

import io.cordwood.balancer.plan.Cluster;
import io.cordwood.balancer.plan.TenantDemand;
import io.cordwood.benchmarks.report.Report;
import io.cordwood.routing.Route;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** LogStore's figures 12 to 14: 1,000 tenants on 24 workers, theta from 0 to 0.99, each control. */
final class SkewRun {
    static final int TENANTS = 1_000;
    static final int PARTITIONS = 96;
    static final int WORKERS = 24;
    static final double[] THETAS = {0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.99};

    /** The offered load over the capacity of all workers. */
    private static final double LOAD = 0.95;

    private final Report report;
    private final Map<Double, Map<Control, Outcome>> outcomes = new TreeMap<>();

    /**
     * The result of a control for a skew.
     *
     * @param routes number of routes of all tenants
     */
    record Outcome(Traffic traffic, int routes) {}

    SkewRun(Report report) {
        this.report = report;
    }

    /** Results by theta and control. */
    Map<Double, Map<Control, Outcome>> run() {
        for (double theta : THETAS) {
            outcomes.put(theta, outcomes(theta));
        }
        double uniform = outcomes.get(0.0).get(Control.LEVEL).traffic().throughput();
        outcomes.forEach((theta, byControl) -> report(theta, byControl, uniform));
        return outcomes;
    }

    private static Map<Control, Outcome> outcomes(double theta) {
        Cluster cluster = SimulatedCluster.of(PARTITIONS, WORKERS);
        List<TenantDemand> demands = Zipf.demands(TENANTS, theta, LOAD * SimulatedCluster.bound(WORKERS));
        Map<String, List<Route>> byHash = Zipf.byHash(demands, PARTITIONS);
        Map<Control, Outcome> byControl = new EnumMap<>(Control.class);
        for (Control control : Control.values()) {
            Map<String, List<Route>> routes = control.settle(cluster, demands, byHash);
            int count = routes.values().stream().mapToInt(List::size).sum();
            byControl.put(control, new Outcome(Traffic.of(cluster, demands, routes), count));
        }
        return byControl;
    }

    private void report(double theta, Map<Control, Outcome> byControl, double uniform) {
        String name = "theta/" + String.format(Locale.ROOT, "%.2f", theta);
        Outcome none = byControl.get(Control.NONE);
        Outcome ours = byControl.get(Control.LEVEL);
        // The demand fits, so the max-flow bound equals the offered load.
        report.add(
                name,
                "throughput_ratio_vs_bound",
                ours.traffic().throughput() / ours.traffic().offered(),
                "ratio");
        report.add(name, "throughput_ratio_vs_uniform", ours.traffic().throughput() / uniform, "ratio");
        report.add(
                name,
                "sd_partition_ratio",
                ours.traffic().partitionDeviation() / none.traffic().partitionDeviation(),
                "ratio");
        report.add(
                name,
                "sd_worker_ratio",
                ours.traffic().workerDeviation() / none.traffic().workerDeviation(),
                "ratio");
        report.add(
                name,
                "routes_ratio_vs_greedy",
                (double) ours.routes() / byControl.get(Control.GREEDY).routes(),
                "ratio");
        byControl.forEach((control, outcome) -> {
            String at = name + "/" + control.label();
            report.add(at, "throughput", outcome.traffic().throughput(), "rows/s");
            report.add(at, "batch_ms", outcome.traffic().batchMillis(), "ms");
            report.add(at, "batch_ms_p99", outcome.traffic().p99BatchMillis(), "ms");
            report.add(at, "routes", outcome.routes(), "routes");
            report.add(at, "sd_partition", outcome.traffic().partitionDeviation(), "rows/s");
            report.add(at, "sd_worker", outcome.traffic().workerDeviation(), "rows/s");
            report.add(at, "hot_partitions", outcome.traffic().hotPartitions(), "partitions");
        });
    }
}
