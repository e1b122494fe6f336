package io.cordwood.systemtests.balance;

import io.cordwood.benchmarks.report.Percentiles;
import io.cordwood.benchmarks.report.Report;
import io.cordwood.systemtests.lab.Await;
import io.cordwood.systemtests.lab.Lab;
import io.cordwood.systemtests.ledger.Ledger;
import io.cordwood.systemtests.ledger.NumberedRow;
import io.cordwood.systemtests.load.TenantLoad;
import io.cordwood.systemtests.load.TenantLoad.Sent;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** A tenant that sends at twenty times its rate for a while, beside others at their usual rates. For one thread. */
final class TenantBurst {
    static final int HOT = 0;
    private static final int FACTOR = 20;
    /** Load is level when no record waits longer. */
    private static final long LEVEL_MILLIS = 1000;

    private static final Duration BEFORE = Duration.ofSeconds(10);
    private static final Duration BURST = Duration.ofSeconds(30);
    /** Time limit for level load after the burst. */
    private static final Duration AFTER = Duration.ofSeconds(60);

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final Lab lab;
    private final Report report;
    private final String name;

    /** Times of events in milliseconds; events that did not happen are absent. */
    private record Times(long begin, long burst, long end, long stop, Optional<Long> hot, Optional<Long> level) {}

    TenantBurst(Lab lab, Report report, String name) {
        this.lab = lab;
        this.report = report;
        this.name = name;
    }

    /**
     * Sends the rows, and reports the effects.
     *
     * @param rates rows a second of each tenant before and after
     */
    void run(NumberedRow.Maker rows, Ledger ledger, double[] rates) throws Exception {
        long acknowledgedBefore = ledger.acknowledged();
        try (IngestWatch watch = new IngestWatch(lab);
                BalancerView balancer = new BalancerView(lab);
                TenantLoad load = new TenantLoad(lab, rows, ledger, rates)) {
            Await.await(TIMEOUT, "the table knows all tenants", () -> balancer.routedTenants() >= rates.length);
            long begin = System.currentTimeMillis();
            Thread.sleep(BEFORE);
            long burst = System.currentTimeMillis();
            load.rate(HOT, FACTOR * rates[HOT]);
            Optional<Long> hot = awaitHot(balancer, burst);
            sleepUntil(burst + BURST.toMillis());
            load.rate(HOT, rates[HOT]);
            long end = System.currentTimeMillis();
            awaitLevel(watch, end);
            Times times = new Times(begin, burst, end, System.currentTimeMillis(), hot, level(watch, burst));
            report(watch, balancer, load, times);
        }
        report.add(name, "rows_acknowledged", (double) ledger.acknowledged() - acknowledgedBefore, "rows");
    }

    private Optional<Long> awaitHot(BalancerView balancer, long burst) throws IOException, InterruptedException {
        while (System.currentTimeMillis() < burst + BURST.toMillis()) {
            if (balancer.isAnythingHot()) {
                return Optional.of(System.currentTimeMillis());
            }
            Thread.sleep(100);
        }
        return Optional.empty();
    }

    private static void sleepUntil(long millis) throws InterruptedException {
        Thread.sleep(Math.max(0, millis - System.currentTimeMillis()));
    }

    private void awaitLevel(IngestWatch watch, long end) throws InterruptedException {
        while (!watch.isLevel(end, LEVEL_MILLIS) && System.currentTimeMillis() < end + AFTER.toMillis()) {
            Thread.sleep(100);
        }
    }

    /** The time when the last partition became level for good after the burst; empty if it did not before the end. */
    private static Optional<Long> level(IngestWatch watch, long burst) {
        if (!watch.isLevel(burst, LEVEL_MILLIS)) {
            return Optional.empty();
        }
        Map<Integer, List<IngestReport>> byPartition =
                watch.between(burst, Long.MAX_VALUE).stream().collect(Collectors.groupingBy(IngestReport::partition));
        return byPartition.values().stream()
                .map(intervals -> level(intervals, burst))
                .max(Long::compare);
    }

    /** The end of the first report of a partition after which no report shows a long delay. */
    private static long level(List<IngestReport> intervals, long burst) {
        long level = burst;
        boolean late = false;
        for (IngestReport interval : intervals) {
            if (interval.delayMillis() > LEVEL_MILLIS) {
                late = true;
            } else if (late) {
                level = interval.toMillis();
                late = false;
            }
        }
        return level;
    }

    private void report(IngestWatch watch, BalancerView balancer, TenantLoad load, Times times)
            throws IOException, InterruptedException, ExecutionException {
        addSeconds("hot_spot_recognised_s", times, times.hot());
        addSeconds("table_written_s", times, balancer.firstForHotSpot(times.burst()));
        addSeconds("table_followed_s", times, load.firstElsewhere(HOT, times.burst()));
        addSeconds("level_again_s", times, times.level());
        report.add(name, "routes_of_hot_tenant", balancer.routes(NumberedRow.tenantId(HOT)), "routes");
        report.add(name, "table_versions", (double) balancer.version(), "versions");
        List<Sent> sent = load.sent();
        reportPeriod("before", watch, sent, times.begin(), times.burst());
        reportPeriod("during", watch, sent, times.burst(), times.end());
        reportPeriod("after", watch, sent, times.end(), times.stop());
    }

    private void addSeconds(String metric, Times times, Optional<Long> time) {
        time.ifPresent(millis -> report.add(name, metric, (millis - times.burst()) / 1e3, "s"));
    }

    private void reportPeriod(String period, IngestWatch watch, List<Sent> sent, long from, long to) {
        String caseName = name + "/" + period;
        List<IngestReport> intervals = watch.between(from, to);
        double seconds = (to - from) / 1e3;
        report.add(
                caseName,
                "rows_per_second",
                intervals.stream().mapToLong(IngestReport::records).sum() / seconds,
                "rows/s");
        report.add(
                caseName,
                "lag_rows_max",
                (double) intervals.stream().mapToLong(IngestReport::lag).max().orElse(0),
                "rows");
        addDelays(
                caseName,
                "others",
                intervals,
                interval -> interval.rows().entrySet().stream()
                        .filter(tenant -> !tenant.getKey().equals(NumberedRow.tenantId(HOT)))
                        .mapToLong(tenant -> tenant.getValue())
                        .sum());
        addDelays(caseName, "hot", intervals, interval -> interval.rows().getOrDefault(NumberedRow.tenantId(HOT), 0L));
        List<Double> acknowledgements = sent.stream()
                .filter(row -> row.atMillis() >= from && row.atMillis() < to)
                .map(Sent::millis)
                .toList();
        if (!acknowledgements.isEmpty()) {
            Percentiles percentiles = Percentiles.of(
                    acknowledgements.stream().mapToDouble(Double::doubleValue).toArray());
            report.add(caseName, "batch_ms_median", percentiles.median(), "ms");
            report.add(caseName, "batch_ms_p99", percentiles.at(0.99), "ms");
        }
    }

    /** Delays of records: each report's delay is weighted by its rows of these tenants. */
    private void addDelays(
            String caseName, String tenants, List<IngestReport> intervals, ToDoubleFunction<IngestReport> rows) {
        List<IngestReport> byDelay = new ArrayList<>(intervals);
        byDelay.sort((a, b) -> Long.compare(a.delayMillis(), b.delayMillis()));
        double total = byDelay.stream().mapToDouble(rows).sum();
        if (total == 0) {
            return;
        }
        report.add(
                caseName,
                "waited_ms_mean_" + tenants,
                byDelay.stream()
                                .mapToDouble(interval -> rows.applyAsDouble(interval) * interval.delayMillis())
                                .sum()
                        / total,
                "ms");
        double left = 0.99 * total;
        for (IngestReport interval : byDelay) {
            left -= rows.applyAsDouble(interval);
            if (left <= 0) {
                report.add(caseName, "waited_ms_p99_" + tenants, (double) interval.delayMillis(), "ms");
                return;
            }
        }
    }
}
