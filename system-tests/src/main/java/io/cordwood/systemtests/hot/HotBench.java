package io.cordwood.systemtests.hot;

import io.cordwood.benchmarks.report.Report;
import io.cordwood.benchmarks.run.Scratch;
import io.cordwood.systemtests.check.Checker;
import io.cordwood.systemtests.check.PrefixReader;
import io.cordwood.systemtests.check.SlowReader;
import io.cordwood.systemtests.deletion.Deleter;
import io.cordwood.systemtests.deletion.DeletionStarts;
import io.cordwood.systemtests.lab.Archiving;
import io.cordwood.systemtests.lab.Await;
import io.cordwood.systemtests.lab.Component;
import io.cordwood.systemtests.lab.Lab;
import io.cordwood.systemtests.ledger.Findings;
import io.cordwood.systemtests.ledger.Ledger;
import io.cordwood.systemtests.ledger.NumberedRow;
import io.cordwood.systemtests.load.Producers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures rows that are still in Kafka: the time until they are visible, prefix-consistent answers, the savings by
 * statistics, and following them.
 */
@Command(
        name = "hot",
        description = "Hot rows: visibility, prefixes under faults, pruning by statistics, following them.",
        mixinStandardHelpOptions = true)
public final class HotBench implements Callable<Integer> {
    private static final int DELETION_PAUSE_MILLIS = 4_000;
    private static final int HOT_SECONDS = 7200;
    private static final int MAX_AGE_SECONDS = 60;
    private static final int PRODUCERS = 4;
    private static final Duration SLOW_QUERY = Duration.ofSeconds(45);
    private static final int TENANTS = 1000;
    private static final int QUICK_TENANTS = 40;

    private static final int RATE = 3000;
    private static final int TAIL_RATE = 10_000;
    private static final List<Component> KILLED =
            List.of(Component.FLINK, Component.COMPACTION, Component.REDIS, Component.CATALOG, Component.KAFKA);
    /** Maximum time of a row's way into Kafka, by the producers' settings. */
    private static final int ACKNOWLEDGED_WITHIN_SECONDS = 300;
    /** Merges start early, and replaced files are soon removed. */
    private static final String[] BUSY_COMPACTION = {
        "--compaction", "interval=30s", "--compaction", "snapshot-grace=2min"
    };

    private static final Pattern MERGED = Pattern.compile(".*: [0-9]+ LogBlocks of [0-9]+ bytes became .*");

    /** A part of the run. */
    enum Part {
        VISIBILITY,
        PREFIX,
        PRUNING,
        TAIL,
        ISOLATION
    }

    @Option(names = "--quick", description = "Few rows, one kill: ends within a minute.")
    private boolean quick;

    @Option(
            names = "--parts",
            split = ",",
            paramLabel = "PART",
            description =
                    "Only these: ${COMPLETION-CANDIDATES} (default: all; with --quick not ISOLATION, which takes minutes).")
    private List<Part> parts = List.of();

    @Option(names = "--minutes", paramLabel = "N", defaultValue = "10", description = "Prefix check (default: 10).")
    private int minutes;

    @Option(names = "--tenants", paramLabel = "N", description = "Tenants of the prefix check (default: 1000).")
    private int tenants;

    @Option(names = "--rate", paramLabel = "N", description = "Rows a second of the prefix check (default: 3000).")
    private int rate;

    @Option(names = "--seed", paramLabel = "N", description = "Decides rows, kills and their times.")
    private Optional<Long> seed = Optional.empty();

    private final Report report = new Report("hot", System.out);
    private final Findings findings = new Findings();
    private final Findings tailFindings = new Findings();

    @Override
    public Integer call() throws Exception {
        if (parts.isEmpty()) {
            Set<Part> selected = EnumSet.allOf(Part.class);
            if (quick) {
                selected.remove(Part.ISOLATION);
            }
            parts = List.copyOf(selected);
        }
        tenants = tenants > 0 ? tenants : quick ? QUICK_TENANTS : TENANTS;
        rate = rate > 0 ? rate : RATE;
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
                    Lab lab = Lab.start(root, scratch, MAX_AGE_SECONDS, Map.of(), BUSY_COMPACTION)) {
                checkPrefixes(lab, chosenSeed);
            }
        }
        findings.examples().forEach(System.err::println);
        tailFindings.examples().forEach(System.err::println);
        report.printTable();
        return findings.isEmpty() && tailFindings.isEmpty() ? 0 : Findings.EXIT_CODE;
    }

    private void measureHot(Lab lab) throws Exception {
        if (parts.contains(Part.PRUNING)) {
            if (!quick) {
                new HotColumns(lab, report, 300_000, 11, Duration.ofSeconds(5)).measure();
                new HotShare(lab, report, 120_000, 7).measure();
            }
            new HotPruning(lab, report, quick ? 30_000_000L : 500_000_000L, quick ? 3 : 21).measure(!quick);
        }
        if (parts.contains(Part.VISIBILITY)) {
            int rows = quick ? 5 : 300;
            HotVisibility visibility = new HotVisibility(lab, report);
            visibility.warmUp(quick ? 2 : 200);
            visibility.measure("unloaded", rows);
            try (HotLoad _ = new HotLoad(lab, RATE)) {
                visibility.measure("loaded", rows);
            }
        }
        if (parts.contains(Part.ISOLATION)) {
            new HotIsolation(lab, report, 2_000_000, 300_000, Duration.ofSeconds(15)).measure();
        }
        if (parts.contains(Part.TAIL)) {
            new HotFollowing(lab, report, tailFindings, TAIL_RATE, quick ? 2 : 60).measure();
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
        int seconds = quick ? 6 : minutes * 60;
        NumberedRow.Maker maker = maker(chosenSeed);
        Ledger ledger = new Ledger(maker, PRODUCERS, rate / PRODUCERS * seconds);
        PrefixReader reader = new PrefixReader(lab, maker, ledger, findings);
        SlowReader slowReader = new SlowReader(lab, ledger, findings, SLOW_QUERY);
        DeletionStarts starts = new DeletionStarts(lab, ledger);
        Deleter deleter = new Deleter(
                lab,
                maker,
                ledger,
                findings,
                starts,
                0,
                rate / PRODUCERS,
                ACKNOWLEDGED_WITHIN_SECONDS,
                tenant -> tenant < PrefixReader.MAX_TENANTS,
                DELETION_PAUSE_MILLIS,
                Deleter.TIMEOUT);
        List<Thread> threads = new ArrayList<>();
        threads.add(Thread.ofPlatform().name("reader").unstarted(reader));
        if (!quick) { // There is no table yet to delete from
            threads.add(Thread.ofPlatform().name("slow-reader").unstarted(slowReader));
            threads.add(Thread.ofPlatform().name("deleter").unstarted(deleter));
        }
        int kills = 0;
        try (Producers sending = new Producers(lab, maker, ledger, rate, Lab.PARTITIONS, false)) {
            threads.forEach(Thread::start);
            kills = kill(lab, sending, ledger, new Random(chosenSeed), seconds);
        } finally {
            reader.stop();
            slowReader.stop();
            deleter.stop();
            for (Thread thread : threads) {
                thread.join();
            }
            starts.close();
        }
        if (!quick) { // Its rows stay in Kafka for hours
            report.add("prefix", "rows_found", (double) compareAll(lab, maker, ledger), "rows");
        }
        report.add("prefix", "prefix_violations", violations(), "findings");
        report.add("prefix", "queries_checked", (double) reader.checked(), "queries");
        report.add("prefix", "queries_unanswered", (double) reader.unanswered(), "queries");
        report.add("prefix", "slow_queries_checked", (double) slowReader.checked(), "queries");
        report.add("prefix", "slow_queries_unanswered", (double) slowReader.unanswered(), "queries");
        report.add("prefix", "rows_acknowledged", (double) ledger.acknowledged(), "rows");
        report.add("prefix", "rows_deleted", (double) deleter.deletedRows(), "rows");
        report.add("prefix", "deletions", (double) deleter.deletions(), "statements");
        report.add("prefix", "deletions_sent_again", (double) deleter.failures(), "statements");
        report.add("prefix", "merges", (double) merges(lab), "merges");
        report.add("prefix", "kills", kills, "kills");
        sayWhy("a query", reader.lastFailure());
        sayWhy("a slow query", slowReader.lastFailure());
        sayWhy("a deletion", deleter.lastFailure());
    }

    private static void sayWhy(String what, String failure) {
        if (!failure.isEmpty()) {
            System.err.printf("hot: %s without an answer: %s%n", what, failure);
        }
    }

    /** Checks every row when all are archived. Returns the number of rows. */
    private long compareAll(Lab lab, NumberedRow.Maker maker, Ledger ledger) throws Exception {
        try (Admin admin = lab.admin()) {
            Archiving archiving = new Archiving(lab, admin);
            archiving.await();
            Checker checker = new Checker(
                    lab, maker, ledger, findings, archiving.topic().topicId().toString());
            return checker.checkAll();
        }
    }

    private static long merges(Lab lab) throws IOException {
        try (Stream<String> lines = Files.lines(lab.home().resolve("log/compaction.log"))) {
            return lines.filter(line -> MERGED.matcher(line).matches()).count();
        }
    }

    /** Kills a component from time to time, until the producers are done or the time is up. */
    private int kill(Lab lab, Producers sending, Ledger ledger, Random random, int seconds) throws Exception {
        long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
        int kills = 0;
        Thread.sleep(quick ? 2_000 : 15_000);
        while (!sending.areDone() && System.nanoTime() < end) {
            Component component = quick ? Component.REDIS : KILLED.get(kills % KILLED.size());
            Await.await(Duration.ofMinutes(3), component + " is ready", () -> lab.isReady(component));
            lab.kill(component);
            kills++;
            System.err.printf("hot: killed %s, %,d rows acknowledged%n", component, ledger.acknowledged());
            Thread.sleep(quick ? 4_000L : 20_000 + random.nextInt(20_000));
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
