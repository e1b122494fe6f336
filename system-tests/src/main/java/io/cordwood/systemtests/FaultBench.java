package io.cordwood.systemtests;

import io.cordwood.benchmarks.report.Report;
import io.cordwood.benchmarks.run.Directories;
import io.cordwood.benchmarks.run.Scratch;
import io.cordwood.systemtests.agent.Breakpoint;
import io.cordwood.systemtests.agent.Mutation;
import io.cordwood.systemtests.agent.MutationAgent;
import io.cordwood.systemtests.agent.Slowness;
import io.cordwood.systemtests.agent.Trial;
import io.cordwood.systemtests.check.AskingThread;
import io.cordwood.systemtests.check.Checker;
import io.cordwood.systemtests.check.PagingReader;
import io.cordwood.systemtests.deletion.Deleter;
import io.cordwood.systemtests.deletion.Deleters;
import io.cordwood.systemtests.deletion.TenantDeleter;
import io.cordwood.systemtests.fault.Fault;
import io.cordwood.systemtests.fault.Faults;
import io.cordwood.systemtests.lab.Archiving;
import io.cordwood.systemtests.lab.Await;
import io.cordwood.systemtests.lab.Component;
import io.cordwood.systemtests.lab.Lab;
import io.cordwood.systemtests.lab.NotRecoveredException;
import io.cordwood.systemtests.ledger.Findings;
import io.cordwood.systemtests.ledger.Findings.Kind;
import io.cordwood.systemtests.ledger.Ledger;
import io.cordwood.systemtests.ledger.NumberedRow;
import io.cordwood.systemtests.load.Producers;
import io.cordwood.systemtests.token.TokenFaults;
import io.cordwood.systemtests.trial.TenantTrial;
import io.cordwood.systemtests.trial.Trials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The whole pipeline under faults: producers send numbered rows while components fail. At the end each acknowledged row
 * must be in its table once, with its values, in its place.
 */
@Command(
        name = "faults",
        description =
                "Sends numbered rows while components fail, and checks that each acknowledged row is there once, in order.",
        mixinStandardHelpOptions = true)
public final class FaultBench implements Callable<Integer> {
    /** LogBlocks of a few seconds for each of a thousand tenants would be too many files for a reader. */
    private static final Scale FULL = new Scale(2_000_000, 1000, Lab.PARTITIONS, 3000, 30, 20);

    private static final Scale QUICK = new Scale(24_000, 60, Lab.PARTITIONS, 3000, 3, 4);

    /**
     * The job commits to four tables at a time. Three tenants, and one that a trial may add, are no more than that, so
     * the breakpoint stops the job at all of them. With one partition, one of two commits is always ahead.
     */
    private static final Scale TRIAL = new Scale(12_000, 3, 1, 300, 0, 4);

    /** Long enough for some hundred changes of tokens. */
    private static final Scale AUTH = new Scale(200_000, 6, Lab.PARTITIONS, 500, 20, 4);

    /** Long enough for what a mutation breaks to happen. */
    private static final Scale AUTH_TRIAL = new Scale(36_000, 6, Lab.PARTITIONS, 400, 5, 3);

    private static final Scale AUTH_QUICK = new Scale(20_000, 6, Lab.PARTITIONS, 400, 3, 3);

    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final Duration ARCHIVING = Duration.ofMinutes(10);
    /** A stack with a mutation need not recover: a failure to recover is a finding. */
    private static final Duration MUTATION_TIMEOUT = Duration.ofMinutes(1);

    private static final int SHORT_AGE_SECONDS = 5;

    private static final int DELETERS = 4;

    private static final String CYCLE = "15s";
    private static final String CYCLE_OF_TRIAL = "2s";

    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(5);

    @Option(names = "--quick", description = "Few rows, only kills: ends within a minute.")
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

    @Option(
            names = "--only",
            paramLabel = "TEXT",
            description = "Only faults whose names contain this; may be given several times.")
    private List<String> only = List.of();

    @Option(
            names = "--auth",
            description = "On a closed stack: tokens of shippers are revoked and renewed while processes are killed"
                    + " (default: 200000 rows, 6 tenants, 500 rows a second, 20 kills).")
    private boolean auth;

    @Option(
            names = "--trial",
            paramLabel = "TRIAL",
            description = "A short run with one fault at a fault point where the job stops at a breakpoint:"
                    + " ${COMPLETION-CANDIDATES}.")
    private Optional<Trial> trial = Optional.empty();

    @Option(
            names = "--without",
            paramLabel = "MUTATION",
            description = "Applies a mutation to the job and runs its trial, whose checker must then report a finding:"
                    + " ${COMPLETION-CANDIDATES}.")
    private Optional<Mutation> without = Optional.empty();

    @Option(
            names = "--deleters",
            paramLabel = "N",
            description = "Number of concurrent deleters whose condition also holds for later rows"
                    + " (default: 0; 4 in a full run).")
    private Optional<Integer> deleters = Optional.empty();

    @Option(names = "--keep", description = "Always keeps data and logs.")
    private boolean keep;

    private Scale scale = FULL;
    private final Report report = new Report("faults", System.out);
    private final Findings findings = new Findings();
    private final Map<String, Integer> injected = new TreeMap<>();

    /**
     * The size of a run, as far as the command line does not set it.
     *
     * @param partitions number of the topic's partitions that get rows
     * @param rate rows a second
     * @param maxAgeSeconds age at which rows are flushed
     */
    private record Scale(int rows, int tenants, int partitions, int rate, int kills, int maxAgeSeconds) {
        /** How long a reader takes for all pages of a search: longer than a restart. */
        Duration paging() {
            return maxAgeSeconds > SHORT_AGE_SECONDS ? Duration.ofMinutes(1) : Duration.ofSeconds(6);
        }
    }

    @Override
    public Integer call() throws Exception {
        setDefaults();
        long chosenSeed = seed.orElseGet(() -> RandomGenerator.getDefault().nextLong(1_000_000_000L));
        System.err.printf("faults: seed %d; again: %s%n", chosenSeed, commandLine(chosenSeed));
        Path root = Path.of(System.getProperty("cordwood.root", ".")).toAbsolutePath();
        if (auth) {
            runClosed(root, chosenSeed);
        } else {
            runOpen(root, chosenSeed);
        }
        report.printTable();
        if (findings.isEmpty()) {
            return 0;
        }
        if (without.isPresent() && findings.count(without.get().finding()) == 0) {
            System.err.printf(
                    "faults: findings, but not the expected %s%n", without.get().finding());
            return 1;
        }
        return Findings.EXIT_CODE;
    }

    private void runClosed(Path root, long chosenSeed) throws Exception {
        try (Scratch scratch = Scratch.create()) {
            boolean compared = false;
            TokenFaults run = new TokenFaults(
                    new TokenFaults.Size(rows, tenants, producers, rate, kills, scale.maxAgeSeconds()),
                    chosenSeed,
                    environment(root, scratch.directory()),
                    without.isPresent() ? MUTATION_TIMEOUT : ARCHIVING,
                    findings);
            try {
                run.run(scratch, report, name());
                compared = true;
            } finally {
                findings.examples().forEach(System.err::println);
                if (!compared || !findings.isEmpty() || keep) {
                    scratch.keep();
                    System.err.println("faults: data and logs are in " + scratch.directory());
                }
            }
        }
    }

    private void runOpen(Path root, long chosenSeed) throws Exception {
        Path directory = Files.createTempDirectory("cordwood-faults");
        boolean compared = false;
        try (Lab lab = Lab.start(root, directory, scale.maxAgeSeconds(), environment(root, directory), options())) {
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
    }

    /** The agent options of the stack's JVMs. */
    private Map<String, String> environment(Path root, Path directory) {
        Map<Component, List<String>> agents = new EnumMap<>(Component.class);
        if (hasClocks()) {
            for (Component component : List.of(Component.FLINK, Component.CATALOG, Component.COMPACTION)) {
                tell(agents, component, Lab.clocks(directory).option(component));
            }
        }
        if (trial.isPresent() && !auth) {
            tell(
                    agents,
                    Component.FLINK,
                    Breakpoint.NAME + Lab.breakpoints(directory).directory());
        }
        without.ifPresent(mutation -> {
            for (Component component : List.of(
                    Component.FLINK, Component.CATALOG, Component.TRINO, Component.COMPACTION, Component.SEARCH)) {
                tell(agents, component, mutation.name());
            }
        });
        if (trial.equals(Optional.of(Trial.SLOW_PLANNING))) {
            // Its instructions go before those of a mutation.
            tell(agents, Component.TRINO, Slowness.SLOW_PLANNING.name());
        }
        Map<String, String> environment = new HashMap<>();
        agents.forEach((component, names) -> environment.put(
                "CORDWOOD_%s_JAVA_OPTIONS".formatted(component.name()), MutationAgent.jvmOption(root, names)));
        return environment;
    }

    private static void tell(Map<Component, List<String>> agents, Component component, String name) {
        agents.computeIfAbsent(component, any -> new ArrayList<>()).add(name);
    }

    /** Whether the run can shift the clocks of the stack's JVMs. */
    private boolean hasClocks() {
        return trial.map(Trial::isOfClocks).orElse(!quick && !auth);
    }

    /** The trial needs whole compaction cycles under a wrong clock. */
    private List<String> options() {
        return hasClocks()
                ? List.of("--compaction", "interval=" + (trial.isPresent() ? CYCLE_OF_TRIAL : CYCLE))
                : List.of();
    }

    private void setDefaults() {
        trial = without.map(Mutation::trial).or(() -> trial);
        auth |= trial.map(Trial::isOfTokens).orElse(false);
        scale = chosenScale();
        rows = rows > 0 ? rows : scale.rows();
        tenants = tenants > 0 ? tenants : scale.tenants();
        kills = kills > 0 ? kills : scale.kills();
        rate = rate > 0 ? rate : scale.rate();
    }

    private Scale chosenScale() {
        if (auth) {
            return trial.isPresent() ? AUTH_TRIAL : quick ? AUTH_QUICK : AUTH;
        }
        return trial.isPresent() ? TRIAL : quick ? QUICK : FULL;
    }

    private String commandLine(long chosenSeed) {
        return "bin/bench faults --rows %d --tenants %d --producers %d --kills %d --rate %d --deleters %d --seed %d%s%s%s%s"
                .formatted(
                        rows,
                        tenants,
                        producers,
                        kills,
                        rate,
                        deleterCount(),
                        chosenSeed,
                        quick ? " --quick" : "",
                        auth && trial.isEmpty() ? " --auth" : "",
                        only.stream().map(" --only '%s'"::formatted).collect(Collectors.joining()),
                        without.map(mutation -> " --without " + mutation)
                                .or(() -> trial.map(tried -> " --trial " + tried))
                                .orElse(""));
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
        AskingThread asking = askForPrefixes(checker);
        PagingReader paging = new PagingReader(lab, checker, maker, ledger, findings, scale.paging());
        List<Thread> readers = List.of(
                Thread.ofPlatform().name("reader").unstarted(asking),
                Thread.ofPlatform().name("pages").unstarted(paging));
        try (Deleters deleting = new Deleters(
                        lab,
                        maker,
                        ledger,
                        findings,
                        deleterCount(),
                        rate / producers,
                        without.isPresent() ? MUTATION_TIMEOUT : Deleter.TIMEOUT);
                Producers sending = new Producers(lab, maker, ledger, rate, scale.partitions(), true)) {
            readers.forEach(Thread::start);
            deleting.start();
            Faults faults = new Faults(lab, sending, ledger, checker, random);
            List<Fault> plan = trial.map(chosen -> List.of(new Trials(
                                    lab,
                                    faults,
                                    deleting.single(),
                                    findings,
                                    new TenantTrial(lab, ledger, new TenantDeleter(lab, sending, ledger), tenants))
                            .fault(chosen)))
                    .orElseGet(() -> plan(lab, faults, paging, random));
            breakThings(plan, random, begun, ledger);
            while (!sending.areDone()) {
                Thread.sleep(200);
            }
            progress(begun, ledger, "all rows are sent");
            deleting.stop();
            awaitArchived(lab, checker, paging);
            deleting.report(report);
        } finally {
            asking.stop();
            paging.stop();
            for (Thread reader : readers) {
                reader.join();
            }
        }
        long found = compare(checker);
        progress(begun, ledger, "%,d rows compared".formatted(found));
        report(ledger, checker, asking, found);
        report(paging);
    }

    private int deleterCount() {
        return deleters.orElse(auth || quick || trial.isPresent() ? 0 : DELETERS);
    }

    private void breakThings(List<Fault> plan, Random random, long begun, Ledger ledger) throws Exception {
        double[] times = times(plan.size(), random);
        try {
            for (int i = 0; i < times.length; i++) {
                sleepUntil(begun + (long) (times[i] * 1e9));
                inject(plan.get(i), begun, ledger);
            }
        } catch (NotRecoveredException e) {
            if (trial.isPresent()) {
                throw e; // The fault of the trial did not happen.
            }
            findings.add(Kind.NOT_RECOVERED, e.getMessage());
        }
    }

    /** The rows are compared however far the run got. */
    private void awaitArchived(Lab lab, Checker checker, PagingReader paging) throws InterruptedException {
        try (Admin admin = lab.admin()) {
            Archiving archiving = new Archiving(lab, admin);
            if (without.isPresent()) {
                archiving.await(MUTATION_TIMEOUT);
            } else {
                archiving.await();
            }
            Await.await(TIMEOUT, "Trino answers", () -> {
                checker.checkPrefix();
                return true;
            });
            if (trial.isEmpty()) {
                Await.await(TIMEOUT, "the search service answers all pages", () -> paging.checked() > 0);
            }
        } catch (NotRecoveredException e) {
            findings.add(Kind.NOT_RECOVERED, e.getMessage());
        }
    }

    /** Returns the number of rows. */
    private long compare(Checker checker) throws InterruptedException {
        try {
            checker.checkTenants();
            return checker.checkAll();
        } catch (SQLException | IOException e) {
            findings.add(Kind.UNREADABLE, e.getMessage());
            return 0;
        }
    }

    private List<Fault> plan(Lab lab, Faults faults, PagingReader paging, Random random) {
        List<Fault> plan = new ArrayList<>();
        List<Fault> matchingKills = matching(faults.kills());
        for (int i = 0; i < kills && !matchingKills.isEmpty(); i++) {
            plan.add(matchingKills.get(random.nextInt(matchingKills.size())));
        }
        if (quick) {
            plan.addAll(matching(List.of(betweenPages(lab, paging))));
        } else {
            plan.addAll(matching(faults.passing()));
        }
        Collections.shuffle(plan, random);
        if (!quick) {
            // Spread over the run, in their order: parallelism goes from 2 to 1 and back.
            List<Fault> single = matching(faults.single());
            int others = plan.size();
            for (int i = 0; i < single.size(); i++) {
                plan.add(i + (i + 1) * others / (single.size() + 1), single.get(i));
            }
        }
        return plan;
    }

    /** Whichever components are drawn, pages go on at another process. */
    private static Fault betweenPages(Lab lab, PagingReader paging) {
        return new Fault("kill -9 search between two pages", () -> {
            Await.await(TIMEOUT, "pages are read", paging::isBetweenPages);
            lab.kill(Component.SEARCH);
        });
    }

    private List<Fault> matching(List<Fault> faults) {
        return faults.stream()
                .filter(fault -> only.isEmpty() || only.stream().anyMatch(fault.name()::contains))
                .toList();
    }

    /** Times for this number of faults, in seconds from the start, while rows are sent. */
    private double[] times(int count, Random random) {
        // A trial sends more rows after its fault.
        double sending = (trial.isPresent() ? 0.25 : 0.95) * rows / rate;
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

    private AskingThread askForPrefixes(Checker checker) {
        return new AskingThread(findings, CHECK_INTERVAL.toMillis()) {
            @Override
            protected boolean check(int query) throws SQLException, IOException, InterruptedException {
                checker.checkPrefix();
                Thread.sleep(CHECK_INTERVAL);
                return true;
            }
        };
    }

    private void report(Ledger ledger, Checker checker, AskingThread asking, long found) {
        String name = name();
        report.add(name, "rows_acknowledged", (double) ledger.acknowledged(), "rows");
        report.add(name, "rows_unknown", (double) ledger.unknown(), "rows");
        report.add(name, "rows_aborted", (double) ledger.aborted(), "rows");
        report.add(name, "rows_found", (double) found, "rows");
        for (Kind kind : Kind.values()) {
            report.add(name, kind.name().toLowerCase(Locale.ROOT), findings.count(kind), "findings");
        }
        report.add(name, "prefixes_checked", (double) checker.prefixesChecked(), "queries");
        report.add(name, "queries_failed", (double) asking.unanswered(), "queries");
        if (asking.unanswered() > 0) {
            System.err.println("faults: a query without an answer: " + asking.lastFailure());
        }
        injected.forEach((fault, count) -> report.add("injected/" + fault, "count", count, "faults"));
    }

    private void report(PagingReader paging) {
        report.add(name(), "pagings_checked", (double) paging.checked(), "searches");
        report.add(name(), "pagings_failed", (double) paging.unanswered(), "searches");
        report.add(name(), "pages_repeated", (double) paging.repeatedPages(), "pages");
        if (paging.unanswered() > 0) {
            System.err.println("faults: a search without an answer: " + paging.lastFailure());
        }
    }

    /** The case of the run's figures. */
    private String name() {
        return without.map(mutation -> "without/" + mutation)
                .or(() -> trial.map(tried -> "trial/" + tried))
                .orElse(auth ? "auth" : "all");
    }
}
