package io.cordwood.benchmarks.faults;

import io.cordwood.benchmarks.Report;
import io.cordwood.benchmarks.Scratch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Rows that are still in Kafka: how soon they are seen, whether answers are prefixes, what statistics spare. */
@Command(
        name = "hot",
        description = "Hot rows: visibility, prefixes under faults, pruning by statistics.",
        mixinStandardHelpOptions = true)
public final class HotBench implements Callable<Integer> {
    private static final int HOT_SECONDS = 7200;
    private static final int MAX_AGE_SECONDS = 30;
    private static final int PRODUCERS = 4;
    /** Each of them in many small LogBlocks, of which a query over all tenants opens each. */
    private static final int TENANTS = 40;

    private static final int RATE = 3000;
    private static final List<Component> KILLED =
            List.of(Component.FLINK, Component.REDIS, Component.CATALOG, Component.KAFKA);

    /** A part of the run. */
    enum Part {
        VISIBILITY,
        PREFIX,
        PRUNING
    }

    @Option(names = "--quick", description = "Few rows, one kill: ends within a minute.")
    private boolean quick;

    @Option(
            names = "--parts",
            split = ",",
            paramLabel = "PART",
            description = "Only these: ${COMPLETION-CANDIDATES} (default: all).")
    private List<Part> parts = List.of(Part.values());

    @Option(names = "--minutes", paramLabel = "N", defaultValue = "10", description = "Prefix check (default: 10).")
    private int minutes;

    @Option(names = "--tenants", paramLabel = "N", description = "Tenants of the prefix check (default: 40).")
    private int tenants;

    @Option(names = "--seed", paramLabel = "N", description = "Decides rows, kills and their times.")
    private Optional<Long> seed = Optional.empty();

    private final Report report = new Report("hot", System.out);
    private final Findings findings = new Findings();

    @Override
    public Integer call() throws Exception {
        tenants = tenants > 0 ? tenants : TENANTS;
        long chosenSeed = seed.orElseGet(() -> RandomGenerator.getDefault().nextLong(1_000_000_000L));
        System.err.printf("hot: seed %d%n", chosenSeed);
        Path root = Path.of(System.getProperty("cordwood.root", ".")).toAbsolutePath();
        if (quick) {
            try (Scratch scratch = Scratch.create();
                    Lab lab = Lab.start(root, scratch, HOT_SECONDS, Map.of())) {
                measureHot(lab);
                checkPrefixes(lab, chosenSeed);
            }
        } else {
            try (Scratch scratch = Scratch.create();
                    Lab lab = Lab.start(root, scratch, HOT_SECONDS, Map.of())) {
                measureHot(lab);
            }
            try (Scratch scratch = Scratch.create();
                    Lab lab = Lab.start(root, scratch, MAX_AGE_SECONDS, Map.of())) {
                checkPrefixes(lab, chosenSeed);
            }
        }
        findings.examples().forEach(System.err::println);
        report.printTable();
        return findings.isEmpty() ? 0 : FaultBench.FOUND;
    }

    private void measureHot(Lab lab) throws Exception {
        if (parts.contains(Part.PRUNING)) {
            new HotColumns(lab, report, quick ? 70_000 : 300_000, quick ? 3 : 21, Duration.ofMillis(quick ? 300 : 5000))
                    .measure();
            if (!quick) {
                new HotShare(lab, report, 120_000, 21).measure();
            }
            new HotPruning(lab, report, quick ? 30_000_000L : 500_000_000L, quick ? 3 : 21).measure();
        }
        if (parts.contains(Part.VISIBILITY)) {
            int rows = quick ? 10 : 300;
            HotVisibility visibility = new HotVisibility(lab, report);
            visibility.warmUp(quick ? 5 : 200);
            visibility.measure("unloaded", rows);
            try (HotLoad _ = new HotLoad(lab, RATE)) {
                visibility.measure("loaded", rows);
            }
        }
    }

    private NumberedRow.Maker maker(long chosenSeed) {
        long hourAgo = (System.currentTimeMillis() - Duration.ofHours(1).toMillis()) * 1000;
        return new NumberedRow.Maker(chosenSeed, tenants, hourAgo);
    }

    private void checkPrefixes(Lab lab, long chosenSeed) throws Exception {
        if (!parts.contains(Part.PREFIX)) {
            return;
        }
        int seconds = quick ? 15 : minutes * 60;
        NumberedRow.Maker maker = maker(chosenSeed);
        Ledger ledger = new Ledger(maker, PRODUCERS, RATE / PRODUCERS * seconds);
        PrefixReader reader = new PrefixReader(lab, maker, ledger, findings);
        Thread reading = Thread.ofPlatform().name("reader").unstarted(reader);
        int kills = 0;
        try (Producers sending = new Producers(lab, maker, ledger, RATE, Lab.PARTITIONS, false)) {
            reading.start();
            kills = kill(lab, sending, new Random(chosenSeed), seconds);
        } finally {
            reader.stop();
            reading.join();
        }
        report.add("prefix", "prefix_violations", violations(), "findings");
        report.add("prefix", "queries_checked", (double) reader.checked(), "queries");
        report.add("prefix", "queries_unanswered", (double) reader.unanswered(), "queries");
        report.add("prefix", "rows_acknowledged", (double) ledger.acknowledged(), "rows");
        report.add("prefix", "kills", kills, "kills");
        if (reader.unanswered() > 0) {
            System.err.println("hot: a query without an answer: " + reader.lastFailure());
        }
    }

    /** Kills something now and then until the producers are done or the time is up. */
    private int kill(Lab lab, Producers sending, Random random, int seconds) throws Exception {
        long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
        int kills = 0;
        Thread.sleep(quick ? 5_000 : 15_000);
        while (!sending.areDone() && System.nanoTime() < end) {
            Component component = quick ? Component.REDIS : KILLED.get(kills % KILLED.size());
            Patience.await(Duration.ofMinutes(3), component + " is ready", () -> lab.isReady(component));
            lab.kill(component);
            kills++;
            System.err.printf("hot: killed %s%n", component);
            Thread.sleep(quick ? 10_000L : 15_000 + random.nextInt(15_000));
        }
        return kills;
    }

    private double violations() {
        double sum = 0;
        for (Findings.Kind kind : Findings.Kind.values()) {
            sum += findings.count(kind);
        }
        return sum;
    }
}
