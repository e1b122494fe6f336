package io.cordwood.benchmarks.balance;

import io.cordwood.balancer.plan.Cluster;
import io.cordwood.balancer.plan.TenantDemand;
import io.cordwood.benchmarks.report.Report;
import io.cordwood.routing.Route;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A day in steps of five minutes: tenants have their busy hours, and every hour another small tenant becomes hot for an
 * hour. As in production, the plan of a step follows from the traffic of the previous step.
 */
final class DayRun {
    static final int STEPS = 288;
    private static final int STEPS_OF_AN_HOUR = 12;
    private static final double THETA = 0.9;
    private static final double MEAN_LOAD = 0.6;
    /** The rate of a hot tenant over the capacity of all workers. */
    private static final double HOT = 0.15;

    private final Report report;
    private final long seed;

    DayRun(Report report, long seed) {
        this.report = report;
        this.seed = seed;
    }

    /** Share of the offered rows that came through, by control and step. */
    Map<Control, double[]> run() {
        List<List<TenantDemand>> day = day();
        Map<Control, double[]> shares = new EnumMap<>(Control.class);
        for (Control control : Control.values()) {
            shares.put(control, run(control, day));
        }
        return shares;
    }

    private List<List<TenantDemand>> day() {
        Random random = new Random(seed);
        double bound = SimulatedCluster.bound(SkewRun.WORKERS);
        List<TenantDemand> base = Zipf.demands(SkewRun.TENANTS, THETA, MEAN_LOAD * bound);
        double[] busyStep = random.doubles(base.size(), 0, STEPS).toArray();
        int[] hot = random.ints(STEPS / STEPS_OF_AN_HOUR, base.size() / 10, base.size())
                .toArray();
        List<List<TenantDemand>> day = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            List<TenantDemand> demands = new ArrayList<>();
            for (int i = 0; i < base.size(); i++) {
                double swing = 1 + 0.4 * Math.cos(2 * Math.PI * (step - busyStep[i]) / STEPS);
                double surge = hot[step / STEPS_OF_AN_HOUR] == i ? HOT * bound : 0;
                demands.add(new TenantDemand(base.get(i).tenant(), base.get(i).demand() * swing + surge));
            }
            day.add(demands);
        }
        return day;
    }

    private double[] run(Control control, List<List<TenantDemand>> day) {
        Cluster cluster = SimulatedCluster.of(SkewRun.PARTITIONS, SkewRun.WORKERS);
        Map<String, List<Route>> routes = Zipf.byHash(day.get(0), SkewRun.PARTITIONS);
        double[] shares = new double[STEPS];
        double offered = 0;
        double through = 0;
        double hotSteps = 0;
        int versions = 0;
        int changed = 0;
        int mostRoutes = 0;
        for (int step = 0; step < STEPS; step++) {
            if (step > 0) {
                Map<String, List<Route>> before = routes;
                routes = control.next(cluster, day.get(step - 1), before);
                int changes = changes(before, routes);
                versions += changes > 0 ? 1 : 0;
                changed += changes;
            }
            Traffic traffic = Traffic.of(cluster, day.get(step), routes);
            shares[step] = traffic.throughput() / traffic.offered();
            offered += traffic.offered();
            through += traffic.throughput();
            hotSteps += traffic.hotPartitions() > 0 ? 1 : 0;
            mostRoutes = Math.max(
                    mostRoutes, routes.values().stream().mapToInt(List::size).sum());
        }
        String name = "day/" + control.label();
        report.add(name, "throughput_ratio_vs_bound", through / offered, "ratio");
        report.add(name, "steps_with_hot_spots", hotSteps / STEPS, "ratio");
        report.add(name, "table_versions", versions, "versions");
        report.add(name, "tenants_changed_per_version", versions == 0 ? 0 : (double) changed / versions, "tenants");
        report.add(name, "routes_at_most", mostRoutes, "routes");
        return shares;
    }

    private static int changes(Map<String, List<Route>> before, Map<String, List<Route>> after) {
        int changes = 0;
        for (Map.Entry<String, List<Route>> tenant : after.entrySet()) {
            changes += tenant.getValue().equals(before.get(tenant.getKey())) ? 0 : 1;
        }
        return changes;
    }
}
