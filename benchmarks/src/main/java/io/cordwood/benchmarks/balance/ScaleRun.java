package io.cordwood.benchmarks.balance;

import com.sun.management.ThreadMXBean;
import io.cordwood.balancer.plan.Cluster;
import io.cordwood.balancer.plan.LevelPlanner;
import io.cordwood.balancer.plan.LogStorePlanner;
import io.cordwood.balancer.plan.Plan;
import io.cordwood.balancer.plan.PlanInput;
import io.cordwood.balancer.plan.Planner;
import io.cordwood.balancer.plan.TenantDemand;
import io.cordwood.benchmarks.report.Report;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * The cost of a plan: of the first one, for tenants that were routed by hash, and of one after every tenant's demand
 * has changed by up to a half. Bytes are all allocations of the planning thread, including garbage.
 */
final class ScaleRun {
    private static final double THETA = 0.99;
    private static final double LOAD = 0.9;
    /** Algorithm 3 solves the whole network again for each round of new routes, and takes minutes above this size. */
    private static final int MOST_TENANTS_OF_MAX_FLOW = 1_000;

    private final Report report;
    private final long seed;
    private final int runs;

    /** @param runs timed runs of each plan, after as many untimed ones */
    ScaleRun(Report report, long seed, int runs) {
        this.report = report;
        this.seed = seed;
        this.runs = runs;
    }

    void run() {
        run(1_000, 64, 8);
        run(10_000, 256, 32);
        run(100_000, 1_024, 64);
    }

    private void run(int tenants, int partitions, int workers) {
        String name = "%d/%d/%d".formatted(tenants, partitions, workers);
        Cluster cluster = SimulatedCluster.of(partitions, workers);
        double bound = SimulatedCluster.bound(workers);
        List<TenantDemand> demands = Zipf.demands(tenants, THETA, LOAD * bound);
        PlanInput first = new PlanInput(cluster, demands, Zipf.byHash(demands, partitions));
        Plan plan = measure(name, first, new LevelPlanner());
        report.add(name, "utilisation_over_lambda", plan.utilisation() / plan.lambda(), "ratio");
        report.add(name, "routes_per_tenant", (double) plan.routeCount() / tenants, "routes");
        Plan next = measure(
                name + "/after_drift",
                new PlanInput(cluster, drifted(demands, LOAD * bound), plan.routes()),
                new LevelPlanner());
        report.add(name + "/after_drift", "tenants_changed", next.changedTenants(), "tenants");
        if (tenants <= MOST_TENANTS_OF_MAX_FLOW) {
            measure(name + "/maxflow", first, new LogStorePlanner());
        }
    }

    private List<TenantDemand> drifted(List<TenantDemand> demands, double total) {
        Random random = new Random(seed);
        List<TenantDemand> drifted = new ArrayList<>(demands.size());
        double sum = 0;
        for (TenantDemand demand : demands) {
            double now = demand.demand() * (0.5 + random.nextDouble());
            sum += now;
            drifted.add(new TenantDemand(demand.tenant(), now));
        }
        double factor = total / sum;
        drifted.replaceAll(demand -> new TenantDemand(demand.tenant(), demand.demand() * factor));
        return drifted;
    }

    private Plan measure(String name, PlanInput input, Planner planner) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Plan plan = planner.plan(input);
        for (int run = 0; run < runs; run++) {
            plan = planner.plan(input);
        }
        double[] millis = new double[runs];
        double[] cpuMillis = new double[runs];
        long bytes = 0;
        for (int run = 0; run < runs; run++) {
            long allocated = threads.getCurrentThreadAllocatedBytes();
            long cpu = threads.getCurrentThreadCpuTime();
            long start = System.nanoTime();
            plan = planner.plan(input);
            millis[run] = (System.nanoTime() - start) / 1e6;
            cpuMillis[run] = (threads.getCurrentThreadCpuTime() - cpu) / 1e6;
            bytes = Math.max(bytes, threads.getCurrentThreadAllocatedBytes() - allocated);
        }
        Arrays.sort(millis);
        Arrays.sort(cpuMillis);
        report.add(name, "plan_ms", millis[runs / 2], "ms");
        report.add(name, "plan_cpu_ms", cpuMillis[runs / 2], "ms");
        report.add(name, "heap_bytes", (double) bytes, "bytes");
        return plan;
    }
}
