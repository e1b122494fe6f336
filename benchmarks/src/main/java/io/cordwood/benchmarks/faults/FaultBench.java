package io.cordwood.benchmarks.faults;

import io.cordwood.benchmarks.Directories;
import io.cordwood.benchmarks.Report;
import io.cordwood.benchmarks.faults.Findings.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The main road under faults: producers send numbered rows while everything breaks; at the end each acknowledged row
 * must be there once, with its values, in its place.
 */
@Command(
        name = "faults",
        description = "Numbered rows while everything breaks: is each acknowledged one there once, in order?",
        mixinStandardHelpOptions = true)
public final class FaultBench implements Callable<Integer> {
    /** A thousand tenants' LogBlocks of a few seconds each would be more files than a reader wants to open. */
    private static final int MAX_AGE_SECONDS = 20;

    /** Exit code of a run that has findings; one that could not be carried through has another. */
    static final int FOUND = 3;

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(5);

    @Option(names = "--quick", description = "Few rows, kills alone: ends within a minute.")
    private boolean quick;

    @Option(names = "--rows", paramLabel = "N", description = "Rows of all producers (default: 2000000).")
    private int rows;

    @Option(names = "--tenants", paramLabel = "N", description = "Tenants (default: 1000).")
    private int tenants;

    @Option(names = "--producers", paramLabel = "N", defaultValue = "4", description = "Producers (default: 4).")
    private int producers;

    @Option(names = "--kills", paramLabel = "N", description = "Kills of random components (default: 30).")
    private int kills;

    @Option(names = "--rate", paramLabel = "N", description = "Rows a second (default: 3000).")
    private int rate;

    @Option(names = "--seed", paramLabel = "N", description = "Decides rows, faults and their times.")
    private Optional<Long> seed = Optional.empty();

    @Option(names = "--only", paramLabel = "TEXT", description = "Only faults whose names contain this.")
    private String only = "";

    @Option(
            names = "--without",
            paramLabel = "PROTECTION",
            description = "Takes a protection out of the running job, which should then be found out:"
                    + " ${COMPLETION-CANDIDATES}.")
    private Optional<Protection> without = Optional.empty();

    @Option(names = "--keep", description = "Keeps data and logs, whatever the outcome.")
    private boolean keep;

    private final Report report = new Report("faults", System.out);
    private final Findings findings = new Findings();
    private final Map<String, Integer> injected = new TreeMap<>();
    private volatile boolean checking = true;
    private long failedQueries;

    @Override
    public Integer call() throws Exception {
        setDefaults();
        long chosenSeed = seed.orElseGet(() -> RandomGenerator.getDefault().nextLong(1_000_000_000L));
        System.err.printf("faults: seed %d; again: %s%n", chosenSeed, commandLine(chosenSeed));
        Path directory = Files.createTempDirectory("cordwood-faults");
        Path root = Path.of(System.getProperty("cordwood.root", ".")).toAbsolutePath();
        Map<String, String> environment = without.isPresent()
                ? Map.of("CORDWOOD_FLINK_JAVA_OPTIONS", without.get().jvmOption(root))
                : Map.of();
        boolean compared = false;
        try (Lab lab = Lab.start(root, directory, quick ? 4 : MAX_AGE_SECONDS, environment)) {
            run(lab, chosenSeed);
            compared = true;
        } finally {
            findings.examples().forEach(System.err::println);
            if (compared && findings.isEmpty() && !keep) {
                Directories.delete(directory);
            } else {
                System.err.println("faults: data and logs are in " + directory);
            }
        }
        report.printTable();
        return findings.isEmpty() ? 0 : FOUND;
    }

    private void setDefaults() {
        rows = rows > 0 ? rows : quick ? 24_000 : 2_000_000;
        tenants = tenants > 0 ? tenants : quick ? 60 : 1000;
        kills = kills > 0 ? kills : quick ? 3 : 30;
        rate = rate > 0 ? rate : 3000;
    }

    private String commandLine(long chosenSeed) {
        return "bin/bench faults --rows %d --tenants %d --producers %d --kills %d --rate %d --seed %d%s%s%s"
                .formatted(
                        rows,
                        tenants,
                        producers,
                        kills,
                        rate,
                        chosenSeed,
                        quick ? " --quick" : "",
                        only.isEmpty() ? "" : " --only '" + only + "'",
                        without.map(protection -> " --without " + protection).orElse(""));
    }

    private void run(Lab lab, long chosenSeed) throws Exception {
        long hourAgo = (System.currentTimeMillis() - Duration.ofHours(1).toMillis()) * 1000;
        NumberedRow.Maker maker = new NumberedRow.Maker(chosenSeed, tenants, hourAgo);
        Ledger ledger = new Ledger(maker, producers, rows / producers);
        String topicId;
        try (Admin admin = lab.admin()) {
            topicId = new Archiving(lab, admin).topic().topicId().toString();
        }
        Checker checker = new Checker(lab, maker, ledger, findings, topicId);
        Random random = new Random(chosenSeed);
        long begun = System.nanoTime();
        Thread reader = Thread.ofPlatform().name("reader").unstarted(() -> keepChecking(checker));
        try (Producers sending = new Producers(lab, maker, ledger, rate, true)) {
            reader.start();
            Faults faults = new Faults(lab, sending, ledger, checker, random);
            breakThings(plan(faults, random), random, begun, ledger);
            while (!sending.areDone()) {
                Thread.sleep(200);
            }
            awaitArchived(lab, checker);
            progress(begun, ledger, "all rows are archived");
        } finally {
            checking = false;
            reader.join();
        }
        long found = checker.checkAll();
        progress(begun, ledger, "%,d rows compared".formatted(found));
        report(ledger, checker, found);
    }

    private void breakThings(List<Fault> plan, Random random, long begun, Ledger ledger) throws Exception {
        double[] moments = moments(plan.size(), random);
        try {
            for (int i = 0; i < moments.length; i++) {
                sleepUntil(begun + (long) (moments[i] * 1e9));
                inject(plan.get(i), begun, ledger);
            }
        } catch (NotRecoveredException e) {
            findings.add(Kind.NOT_RECOVERED, e.getMessage());
        }
    }

    /** However far it got, what is there is compared. */
    private void awaitArchived(Lab lab, Checker checker) throws InterruptedException {
        try (Admin admin = lab.admin()) {
            new Archiving(lab, admin).await();
            Patience.await(PATIENCE, "Trino answers", () -> {
                checker.checkPrefix();
                return true;
            });
        } catch (NotRecoveredException e) {
            findings.add(Kind.NOT_RECOVERED, e.getMessage());
        }
    }

    private List<Fault> plan(Faults faults, Random random) {
        List<Fault> plan = new ArrayList<>();
        List<Fault> wantedKills = wanted(faults.kills());
        for (int i = 0; i < kills && !wantedKills.isEmpty(); i++) {
            plan.add(wantedKills.get(random.nextInt(wantedKills.size())));
        }
        if (!quick) {
            plan.addAll(wanted(faults.passing()));
        }
        Collections.shuffle(plan, random);
        if (!quick) {
            // Spread over the run, in their order: parallelism goes from 2 to 1 and back.
            List<Fault> single = wanted(faults.single());
            int others = plan.size();
            for (int i = 0; i < single.size(); i++) {
                plan.add(i + (i + 1) * others / (single.size() + 1), single.get(i));
            }
        }
        return plan;
    }

    private List<Fault> wanted(List<Fault> faults) {
        return faults.stream().filter(fault -> fault.name().contains(only)).toList();
    }

    /** Moments for so many faults, seconds from the start, while rows are sent. */
    private double[] moments(int count, Random random) {
        double sending = 0.95 * rows / rate;
        return random.doubles(count, 0, sending).sorted().toArray();
    }

    private static void sleepUntil(long nanos) throws InterruptedException {
        long left = nanos - System.nanoTime();
        if (left > 0) {
            Thread.sleep(Duration.ofNanos(left));
        }
    }

    private void inject(Fault fault, long begun, Ledger ledger) throws Exception {
        progress(begun, ledger, fault.name());
        fault.injection().inject();
        injected.merge(fault.name(), 1, Integer::sum);
    }

    private static void progress(long begun, Ledger ledger, String what) {
        System.err.printf(
                "%6.1f s  %,11d rows acknowledged  %s%n",
                (System.nanoTime() - begun) / 1e9, ledger.acknowledged(), what);
    }

    private void keepChecking(Checker checker) {
        try {
            while (checking) {
                try {
                    checker.checkPrefix();
                } catch (SQLException | IOException e) {
                    failedQueries++; // Trino, the catalog or what is between them is down just now.
                }
                Thread.sleep(CHECK_INTERVAL);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            findings.add(Kind.WRONG, "an answer that cannot be understood: " + e);
        }
    }

    private void report(Ledger ledger, Checker checker, long found) {
        String name = without.map(protection -> "without/" + protection).orElse("all");
        report.add(name, "rows_acknowledged", (double) ledger.acknowledged(), "rows");
        report.add(name, "rows_unknown", (double) ledger.unknown(), "rows");
        report.add(name, "rows_aborted", (double) ledger.aborted(), "rows");
        report.add(name, "rows_found", (double) found, "rows");
        for (Kind kind : Kind.values()) {
            report.add(name, kind.name().toLowerCase(Locale.ROOT), findings.count(kind), "findings");
        }
        report.add(name, "prefixes_checked", (double) checker.prefixesChecked(), "queries");
        report.add(name, "queries_failed", (double) failedQueries, "queries");
        injected.forEach((fault, count) -> report.add("injected/" + fault, "count", count, "faults"));
    }
}
