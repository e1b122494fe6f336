package io.cordwood.benchmarks.balance;

import io.cordwood.balancer.plan.Cluster;
import io.cordwood.balancer.plan.LevelPlanner;
import io.cordwood.balancer.plan.Plan;
import io.cordwood.balancer.plan.PlanInput;
import io.cordwood.balancer.plan.TenantDemand;
import io.cordwood.benchmarks.report.Report;
import java.util.List;

/**
 * The loss of one of 24 workers, whose partitions are then not served: before it, until the next plan, and with that
 * plan.
 */
final class WorkerLossRun {
    private static final double THETA = 0.99;
    private static final double LOAD = 0.85;
    private static final int LOST = 7;

    private final Report report;

    WorkerLossRun(Report report) {
        this.report = report;
    }

    void run() {
        Cluster whole = SimulatedCluster.of(SkewRun.PARTITIONS, SkewRun.WORKERS);
        Cluster reduced = SimulatedCluster.of(SkewRun.PARTITIONS, SkewRun.WORKERS, List.of(LOST));
        List<TenantDemand> demands =
                Zipf.demands(SkewRun.TENANTS, THETA, LOAD * SimulatedCluster.bound(SkewRun.WORKERS));
        LevelPlanner planner = new LevelPlanner();
        Plan before = planner.plan(new PlanInput(whole, demands, Zipf.byHash(demands, SkewRun.PARTITIONS)));
        Plan after = planner.plan(new PlanInput(reduced, demands, before.routes()));
        Plan back = planner.plan(new PlanInput(whole, demands, after.routes()));
        add("before", whole, demands, before);
        add("lost", reduced, demands, before);
        add("planned_anew", reduced, demands, after);
        report.add("worker_loss/planned_anew", "tenants_changed", after.changedTenants(), "tenants");
        add("back", whole, demands, back);
        report.add("worker_loss/back", "tenants_changed", back.changedTenants(), "tenants");
    }

    private void add(String phase, Cluster cluster, List<TenantDemand> demands, Plan plan) {
        String name = "worker_loss/" + phase;
        Traffic traffic = Traffic.of(cluster, demands, plan.routes());
        report.add(name, "throughput_ratio_vs_bound", traffic.throughput() / traffic.offered(), "ratio");
        report.add(name, "batch_ms", traffic.batchMillis(), "ms");
        report.add(name, "routes", plan.routeCount(), "routes");
    }
}
