package io.cordwood.systemtests.balance;

import io.cordwood.balancer.plan.Cluster;
import io.cordwood.balancer.plan.LevelPlanner;
import io.cordwood.balancer.plan.PartitionCapacity;
import io.cordwood.balancer.plan.Plan;
import io.cordwood.balancer.plan.PlanInput;
import io.cordwood.balancer.plan.TenantDemand;
import io.cordwood.balancer.plan.WorkerCapacity;
import io.cordwood.benchmarks.report.Percentiles;
import io.cordwood.benchmarks.report.Report;
import io.cordwood.benchmarks.run.ProcessUsage;
import io.cordwood.systemtests.lab.Await;
import io.cordwood.systemtests.lab.Component;
import io.cordwood.systemtests.lab.Lab;
import io.cordwood.systemtests.ledger.Ledger;
import io.cordwood.systemtests.ledger.NumberedRow;
import io.cordwood.systemtests.load.TenantLoad;
import io.cordwood.systemtests.load.TenantLoad.Sent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.quota.ClientQuotaFilter;

/**
 * An overload in which all tenants together demand ten times the workers' capacity: half of them little, the others by
 * Zipf. Measures the throughput of tenants, the load of processes, and the time to recover. For one thread.
 */
final class TenantOverload {
    private static final double FACTOR = 10;
    private static final double BEFORE = 0.3;
    private static final double SMALL_RATE = 8;
    private static final double SKEW = 0.5;
    private static final double WATERMARK = 0.85;
    private static final long LEVEL_MILLIS = 1000;
    private static final Duration TIMEOUT = Duration.ofMinutes(15);
    private static final long POLL_MILLIS = 500;

    private final Lab lab;
    private final Report report;
    private final int tenants;
    private final Saturation.Capacity capacity;
    private final Lab.Size size;

    /** @param capacity of a worker */
    TenantOverload(Lab lab, Report report, int tenants, Saturation.Capacity capacity, Lab.Size size) {
        this.lab = lab;
        this.report = report;
        this.tenants = tenants;
        this.capacity = capacity;
        this.size = size;
    }

    void run(NumberedRow.Maker rows, Ledger ledger, Duration time) throws Exception {
        double fits = capacity.rowsPerSecond() * size.parallelism();
        double[] before = rates(BEFORE * fits);
        double[] demand = rates(FACTOR * fits);
        report.add("overload", "demand_over_capacity", sum(demand) / fits, "ratio");
        try (Admin admin = lab.admin();
                IngestWatch watch = new IngestWatch(lab);
                TenantLoad load = new TenantLoad(lab, rows, ledger, before)) {
            resetPeaks();
            Thread.sleep(15_000);
            reportPeaks("overload/before");
            long begun = System.currentTimeMillis();
            setRates(load, demand);
            resetPeaks();
            Optional<Long> firstQuota = awaitQuota(admin, begun + time.toMillis() / 2);
            firstQuota.ifPresent(at -> report.add("overload", "first_quota_s", (at - begun) / 1e3, "s"));
            // Shares are those of the second half: by then producers have sent the rows that they held when they were
            // throttled.
            sleepUntil(begun + time.toMillis() / 2);
            long half = System.currentTimeMillis();
            long[] atHalf = load.acknowledged();
            sleepUntil(begun + time.toMillis());
            long end = System.currentTimeMillis();
            long[] atEnd = load.acknowledged();
            setRates(load, before);
            reportPeaks("overload/during");
            reportShares(demand, atHalf, atEnd, (end - half) / 1e3);
            reportFlow("overload/first_half", watch, load.sent(), begun, half);
            reportFlow("overload/second_half", watch, load.sent(), half, end);
            resetPeaks();
            Await.await(TIMEOUT, "load is level again", () -> watch.isLevel(end, LEVEL_MILLIS));
            report.add("overload", "level_again_after_s", (System.currentTimeMillis() - end) / 1e3, "s");
            Await.await(TIMEOUT, "quotas are released", () -> quotas(admin) == 0);
            report.add("overload", "quotas_released_after_s", (System.currentTimeMillis() - end) / 1e3, "s");
            reportPeaks("overload/after");
        }
    }

    /** Rates of the tenants: the first half by Zipf, the others little. */
    private double[] rates(double total) {
        double[] rates = new double[tenants];
        int large = tenants / 2;
        double left = total - SMALL_RATE * (tenants - large);
        double weights = IntStream.range(0, large)
                .mapToDouble(tenant -> Math.pow(tenant + 1.0, -SKEW))
                .sum();
        for (int tenant = 0; tenant < tenants; tenant++) {
            rates[tenant] = tenant < large ? left * Math.pow(tenant + 1.0, -SKEW) / weights : SMALL_RATE;
        }
        return rates;
    }

    private static double sum(double[] values) {
        return IntStream.range(0, values.length).mapToDouble(i -> values[i]).sum();
    }

    private static void setRates(TenantLoad load, double[] rates) {
        for (int tenant = 0; tenant < rates.length; tenant++) {
            load.rate(tenant, rates[tenant]);
        }
    }

    private static Optional<Long> awaitQuota(Admin admin, long untilMillis)
            throws InterruptedException, ExecutionException {
        while (System.currentTimeMillis() < untilMillis) {
            if (quotas(admin) > 0) {
                return Optional.of(System.currentTimeMillis());
            }
            Thread.sleep(POLL_MILLIS);
        }
        return Optional.empty();
    }

    private static int quotas(Admin admin) throws InterruptedException, ExecutionException {
        return admin.describeClientQuotas(ClientQuotaFilter.all())
                .entities()
                .get()
                .size();
    }

    private static void sleepUntil(long millis) throws InterruptedException {
        Thread.sleep(Math.max(0, millis - System.currentTimeMillis()));
    }

    private Map<String, Long> processes() throws IOException {
        Map<String, Long> processes = new LinkedHashMap<>();
        processes.put("broker", lab.pid(Component.KAFKA));
        processes.put("job", lab.pid(Component.FLINK));
        processes.put("balancer", lab.balancerPid());
        return processes;
    }

    /** Resets the kernel's peaks. */
    private void resetPeaks() throws IOException {
        for (long pid : processes().values()) {
            Files.writeString(Path.of("/proc", Long.toString(pid), "clear_refs"), "5");
        }
    }

    private void reportPeaks(String caseName) throws IOException {
        for (Map.Entry<String, Long> process : processes().entrySet()) {
            report.add(
                    caseName,
                    process.getKey() + "_peak_rss_bytes",
                    (double) ProcessUsage.of(process.getValue()).peakRssBytes(),
                    "bytes");
        }
    }

    private void reportFlow(String caseName, IngestWatch watch, List<Sent> sent, long from, long to) {
        List<IngestReport> intervals = watch.between(from, to);
        report.add(
                caseName,
                "rows_per_second",
                intervals.stream().mapToLong(IngestReport::records).sum() * 1e3 / (to - from),
                "rows/s");
        report.add(
                caseName,
                "lag_rows_max",
                (double) intervals.stream().mapToLong(IngestReport::lag).max().orElse(0),
                "rows");
        double[] millis = sent.stream()
                .filter(row -> row.atMillis() >= from && row.atMillis() < to)
                .mapToDouble(Sent::millis)
                .toArray();
        if (millis.length > 0) {
            report.add(caseName, "batch_ms_median", Percentiles.of(millis).median(), "ms");
            report.add(caseName, "batch_ms_p99", Percentiles.of(millis).at(0.99), "ms");
        }
    }

    /** The throughput of each tenant over its max-min fair share. */
    private void reportShares(double[] demand, long[] before, long[] after, double seconds) {
        Plan plan = plan(demand);
        double[] ratios = new double[tenants];
        double got = 0;
        for (int tenant = 0; tenant < tenants; tenant++) {
            double rate = (after[tenant] - before[tenant]) / seconds;
            double due = plan.tenants().get(NumberedRow.tenantId(tenant)).admitted();
            got += rate;
            ratios[tenant] = rate / due;
            report.add("overload/" + NumberedRow.tenantId(tenant), "share_got_over_due", ratios[tenant], "ratio");
        }
        report.add("overload", "rows_admitted_per_second", got, "rows/s");
        report.add("overload", "admitted_over_bound", got / plan.bound(), "ratio");
        int large = tenants / 2;
        reportRatios("overload/large", ratios, 0, large);
        reportRatios("overload/small", ratios, large, tenants);
    }

    private void reportRatios(String caseName, double[] ratios, int from, int to) {
        Percentiles percentiles = Percentiles.of(
                IntStream.range(from, to).mapToDouble(i -> ratios[i]).toArray());
        report.add(caseName, "share_got_over_due_min", percentiles.at(0), "ratio");
        report.add(caseName, "share_got_over_due_median", percentiles.median(), "ratio");
        report.add(caseName, "share_got_over_due_max", percentiles.at(1), "ratio");
    }

    /** The shares of tenants on workers of the measured capacity, in rows a second. */
    private Plan plan(double[] demand) {
        int each = size.partitions() / size.parallelism();
        List<WorkerCapacity> workers = IntStream.range(0, size.parallelism())
                .mapToObj(worker -> new WorkerCapacity(
                        Integer.toString(worker),
                        capacity.rowsPerSecond(),
                        IntStream.range(worker * each, (worker + 1) * each)
                                .boxed()
                                .toList()))
                .toList();
        Cluster cluster = new Cluster(
                IntStream.range(0, size.partitions())
                        .mapToObj(partition -> new PartitionCapacity(partition, capacity.rowsPerSecond()))
                        .toList(),
                workers,
                WATERMARK);
        List<TenantDemand> demands = IntStream.range(0, tenants)
                .mapToObj(tenant -> new TenantDemand(NumberedRow.tenantId(tenant), demand[tenant]))
                .toList();
        return new LevelPlanner().plan(new PlanInput(cluster, demands, Map.of()));
    }
}
