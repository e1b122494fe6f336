package io.cordwood.systemtests.balance;

import io.cordwood.benchmarks.balance.LivePart;
import io.cordwood.benchmarks.report.Report;
import io.cordwood.benchmarks.run.Scratch;
import io.cordwood.systemtests.agent.MutationAgent;
import io.cordwood.systemtests.agent.Slowness;
import io.cordwood.systemtests.check.Checker;
import io.cordwood.systemtests.lab.Archiving;
import io.cordwood.systemtests.lab.Lab;
import io.cordwood.systemtests.ledger.Findings;
import io.cordwood.systemtests.ledger.Findings.Kind;
import io.cordwood.systemtests.ledger.Ledger;
import io.cordwood.systemtests.ledger.NumberedRow;
import io.cordwood.systemtests.load.TenantLoad;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;

/**
 * The balancer on a real stack, with a producer for each of some dozens of tenants, and the checker of the fault bench
 * at the end. Workers are {@linkplain Slowness slowed down}, so that they are overloaded and not the machine. For one
 * thread.
 */
public final class LiveBalance {
    private static final int TENANTS = 40;
    /** The sender for measuring capacities; it follows no routing table. */
    private static final int FLOOD = TENANTS;

    private static final Lab.Size SIZE = new Lab.Size(8, 4);
    private static final int MAX_AGE_SECONDS = 6;
    private static final int ROWS_PER_TENANT = 1_000_000;
    private static final double HOT_RATE = 160;
    private static final double OTHER_RATE = 1_440;
    private static final double SKEW = 0.8;
    /** Approximate capacity of a slowed worker, for runs without time to measure it. */
    private static final String SLOWED_BYTES = "300000";

    private static final String NEVER = "1000000000000000";
    private static final Duration LIVELY = Duration.ofMillis(200);

    private final Report report;
    private final boolean quick;
    private final long seed;
    private final Set<LivePart> parts;
    private final Duration overload;
    private final Path root = Path.of(System.getProperty("cordwood.root", ".")).toAbsolutePath();
    private final Findings findings = new Findings();

    /**
     * A run.
     *
     * @param parts the parts to run
     * @param overload duration of the overload
     */
    public LiveBalance(Report report, boolean quick, long seed, Set<LivePart> parts, Duration overload) {
        this.report = report;
        this.quick = quick;
        this.seed = seed;
        this.parts = parts;
        this.overload = overload;
    }

    /** Runs it. @return the exit code: 3 if rows were lost, double or wrong */
    public int run() throws Exception {
        if (parts.contains(LivePart.CAPACITY)) {
            measureCapacity();
        }
        if (parts.contains(LivePart.BURST) || parts.contains(LivePart.CHANGES)) {
            balance();
        }
        if (parts.contains(LivePart.OVERLOAD)) {
            overload();
        }
        if (parts.contains(LivePart.SCALE)) {
            grow();
        }
        findings.examples().forEach(System.err::println);
        return findings.isEmpty() ? 0 : Findings.EXIT_CODE;
    }

    private NumberedRow.Maker maker(int tenants) {
        long hourAgo = (System.currentTimeMillis() - Duration.ofHours(1).toMillis()) * 1000;
        return new NumberedRow.Maker(seed, tenants, hourAgo, true);
    }

    private void measureCapacity() throws Exception {
        int count = 800_000;
        NumberedRow.Maker rows = maker(1);
        Ledger ledger = new Ledger(rows, 1, 3 * count);
        try (Scratch scratch = Scratch.create();
                Lab lab = Lab.start(root, scratch, MAX_AGE_SECONDS, new Lab.Size(8, 2), Map.of())) {
            Saturation saturation = new Saturation(lab, rows, ledger, report);
            saturation.measure("capacity/warm_up", 0, count, 8);
            saturation.measure("capacity/two_workers", 0, count, 8);
            saturation.measure("capacity/one_partition", 0, count, 1);
            compare(lab, rows, ledger, "capacity");
        }
    }

    private void balance() throws Exception {
        NumberedRow.Maker rows = maker(TENANTS + 1);
        Ledger ledger = new Ledger(rows, TENANTS + 1, ROWS_PER_TENANT);
        try (Scratch scratch = Scratch.create();
                Lab lab = start(scratch, Slowness.SLOW_WORKERS, SIZE, options(NEVER))) {
            double[] rates = rates();
            if (parts.contains(LivePart.BURST)) {
                Saturation.Capacity capacity = new Saturation(lab, rows, ledger, report)
                        .measure("capacity/slowed", FLOOD, 60_000, SIZE.partitions());
                new TenantBurst(lab, report, "burst/off").run(rows, ledger, rates);
                settle(lab);
                lab.down();
                lab.upWith(options(Long.toString(Math.round(capacity.bytesPerSecond()))));
                new TenantBurst(lab, report, "burst/on").run(rows, ledger, rates);
            }
            if (parts.contains(LivePart.CHANGES)) {
                change(lab, rows, ledger, rates);
            }
            compare(lab, rows, ledger, "rows");
        }
    }

    private void overload() throws Exception {
        NumberedRow.Maker rows = maker(TENANTS + 1);
        Ledger ledger = new Ledger(rows, TENANTS + 1, ROWS_PER_TENANT);
        try (Scratch scratch = Scratch.create();
                Lab lab = start(scratch, Slowness.SLOWER_WORKERS, SIZE, options(NEVER))) {
            Saturation.Capacity capacity = new Saturation(lab, rows, ledger, report)
                    .measure("capacity/slower", FLOOD, 40_000, SIZE.partitions());
            settle(lab);
            lab.down();
            List<String> options =
                    new ArrayList<>(List.of(options(Long.toString(Math.round(capacity.bytesPerSecond())))));
            options.addAll(List.of("--balancer", "quotas=true"));
            lab.upWith(options.toArray(String[]::new));
            new TenantOverload(lab, report, TENANTS, capacity, SIZE).run(rows, ledger, overload);
            compare(lab, rows, ledger, "overload");
        }
    }

    private void grow() throws Exception {
        NumberedRow.Maker rows = maker(TENANTS);
        Ledger ledger = new Ledger(rows, TENANTS, ROWS_PER_TENANT);
        Lab.Size before = new Lab.Size(4, 2);
        Lab.Size after = new Lab.Size(8, 4);
        List<String> options = new ArrayList<>(List.of(options(SLOWED_BYTES)));
        options.addAll(List.of(
                "--balancer",
                "max-partitions=" + after.partitions(),
                "--balancer",
                "max-workers=" + after.parallelism()));
        try (Scratch scratch = Scratch.create();
                Lab lab = start(scratch, Slowness.SLOW_WORKERS, before, options.toArray(String[]::new))) {
            new ClusterGrowth(lab, report, before, after).run(rows, ledger, rates());
            compare(lab, rows, ledger, "scale");
        }
    }

    /** A stack whose workers are slowed. */
    private Lab start(Scratch scratch, Slowness slowness, Lab.Size size, String... options) throws Exception {
        String option = MutationAgent.jvmOption(root, List.of(slowness.name()));
        return Lab.start(root, scratch, MAX_AGE_SECONDS, size, Map.of("CORDWOOD_FLINK_JAVA_OPTIONS", option), options);
    }

    /** The balancer's options. Its default intervals are too long for a run of minutes. */
    private static String[] options(String capacity) {
        List<String> options = new ArrayList<>();
        Map.of("interval-ms", "1000", "window-ms", "5000", "partition-capacity", capacity, "worker-capacity", capacity)
                .forEach((name, value) -> options.addAll(List.of("--balancer", name + "=" + value)));
        return options.toArray(String[]::new);
    }

    /** The tenant that will send much, and others by Zipf. */
    private static double[] rates() {
        double[] rates = new double[TENANTS];
        double sum = 0;
        for (int tenant = 0; tenant < TENANTS; tenant++) {
            rates[tenant] = tenant == TenantBurst.HOT ? 0 : 1 / Math.pow(tenant, SKEW);
            sum += rates[tenant];
        }
        for (int tenant = 0; tenant < TENANTS; tenant++) {
            rates[tenant] *= OTHER_RATE / sum;
        }
        rates[TenantBurst.HOT] = HOT_RATE;
        return rates;
    }

    private void change(Lab lab, NumberedRow.Maker rows, Ledger ledger, double[] rates) throws Exception {
        long acknowledged = ledger.acknowledged();
        try (BalancerView balancer = new BalancerView(lab);
                TenantLoad _ = new TenantLoad(lab, rows, ledger, rates)) {
            Thread.sleep(1000);
            long before = balancer.version();
            new TableChanges(lab, TENANTS, SIZE.partitions(), seed).force(quick ? 20 : 100, LIVELY);
            Thread.sleep(2000); // Until the balancer's next cycle.
            report.add("changes", "table_changes", (double) balancer.version() - before, "versions");
        }
        report.add("changes", "rows_acknowledged", (double) ledger.acknowledged() - acknowledged, "rows");
        report.add("changes", "tenants_and_partitions", ledger.lanes().length, "pairs");
    }

    private static void settle(Lab lab) throws Exception {
        try (Admin admin = lab.admin()) {
            new Archiving(lab, admin).await();
        }
    }

    /** Checks every row when all are archived. */
    private void compare(Lab lab, NumberedRow.Maker rows, Ledger ledger, String name) throws Exception {
        try (Admin admin = lab.admin()) {
            Archiving archiving = new Archiving(lab, admin);
            archiving.await();
            Checker checker = new Checker(
                    lab, rows, ledger, findings, archiving.topic().topicId().toString());
            report.add(name, "rows_found", (double) checker.checkAll(), "rows");
        }
        report.add(name, "rows_acknowledged", (double) ledger.acknowledged(), "rows");
        report.add(name, "rows_unknown", (double) ledger.unknown(), "rows");
        for (Kind kind : List.of(Kind.LOST, Kind.DOUBLE, Kind.UNEXPECTED, Kind.WRONG, Kind.OUT_OF_ORDER)) {
            report.add(name, kind.name().toLowerCase(Locale.ROOT), findings.count(kind), "findings");
        }
    }
}
