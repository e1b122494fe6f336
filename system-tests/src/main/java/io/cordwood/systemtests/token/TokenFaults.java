package io.cordwood.systemtests.token;

import io.cordwood.benchmarks.report.Report;
import io.cordwood.benchmarks.run.Scratch;
import io.cordwood.benchmarks.stack.RunningStack;
import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.client.CatalogException;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.identity.TokenRules;
import io.cordwood.systemtests.lab.Await;
import io.cordwood.systemtests.lab.NotRecoveredException;
import io.cordwood.systemtests.ledger.Findings;
import io.cordwood.systemtests.ledger.Findings.Kind;
import io.cordwood.systemtests.ledger.Ledger;
import io.cordwood.systemtests.ledger.NumberedRow;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/**
 * A closed stack, whose processes are killed while shippers send records with tokens and the tokens are revoked and
 * renewed. A record is accepted exactly if its append time is before the end of its token: then it is one row, hot,
 * cold and on replay, and else a dead letter. For one thread.
 */
public final class TokenFaults {
    private static final String STREAM = "logs";
    private static final int PARTITIONS = 4;
    private static final Duration RECOVERY = Duration.ofMinutes(5);
    private static final List<String> SERVICES =
            List.of("kafka", "flink", "catalog", "redis", "trino", "compaction", "balancer");

    private final Size size;
    private final long seed;
    private final Map<String, String> environment;
    private final Duration archiving;
    private final Findings findings;
    private final Map<String, Integer> killed = new TreeMap<>();

    /**
     * The size of a run.
     *
     * @param rate rows a second
     * @param maxAgeSeconds age at which rows are flushed
     */
    public record Size(int rows, int tenants, int producers, int rate, int kills, int maxAgeSeconds) {}

    /**
     * A run.
     *
     * @param environment further variables of {@code bin/cordwood}'s environment
     * @param archiving time that the stack has at the end to archive all rows
     */
    public TokenFaults(Size size, long seed, Map<String, String> environment, Duration archiving, Findings findings) {
        this.size = size;
        this.seed = seed;
        this.environment = environment;
        this.archiving = archiving;
        this.findings = findings;
    }

    /** Runs it in that directory, and reports figures under that name. */
    public void run(Scratch scratch, Report report, String name) throws Exception {
        RunningStack stack = RunningStack.start(
                scratch,
                withFastStarts(environment),
                STREAM,
                size.maxAgeSeconds(),
                "--auth",
                "--partitions",
                Integer.toString(PARTITIONS),
                "--parallelism",
                "2",
                "--columns",
                STREAM + "=" + NumberedRow.COLUMNS,
                "--compaction",
                "interval=15s");
        stack.awaitReady();
        try (CatalogClient catalog = stack.catalogClient()) {
            run(stack, catalog, report, name);
        }
    }

    /** A JVM lives for a minute or so until it is killed: it compiles its code only once. */
    private static Map<String, String> withFastStarts(Map<String, String> environment) {
        Map<String, String> all = new HashMap<>(environment);
        for (String service : List.of("flink", "catalog", "trino", "search", "compaction", "balancer")) {
            all.merge(
                    "CORDWOOD_%s_JAVA_OPTIONS".formatted(service.toUpperCase(Locale.ROOT)),
                    "-XX:TieredStopAtLevel=1",
                    (more, fast) -> more + " " + fast);
        }
        return all;
    }

    private void run(RunningStack stack, CatalogClient catalog, Report report, String name) throws Exception {
        long hourAgo = (System.currentTimeMillis() - Duration.ofHours(1).toMillis()) * 1000;
        NumberedRow.Maker rows = new NumberedRow.Maker(seed, size.tenants(), hourAgo);
        Ledger ledger = new Ledger(rows, size.producers(), size.rows() / size.producers());
        Answers answers;
        ShipperTokens tokens = new ShipperTokens(catalog, size.producers(), size.tenants(), new Random(seed + 1));
        long begun;
        try (tokens) {
            tokens.start();
            begun = System.nanoTime();
            try (Shippers shippers =
                    new Shippers(stack.kafka("producer"), STREAM, PARTITIONS, rows, ledger, tokens, size.rate())) {
                answers = new Answers(stack, STREAM, findings, shippers::lastOffsets);
                Thread asking = Thread.ofPlatform().name("asking").start(answers);
                try {
                    killServices(stack, begun, ledger);
                    while (!shippers.areDone()) {
                        Thread.sleep(200);
                    }
                    progress(begun, ledger, "all rows are sent");
                    awaitArchived(stack, catalog, answers);
                } finally {
                    answers.stop();
                    asking.join();
                }
            }
        }
        compare(stack, catalog, tokens, rows, ledger, answers, report.under(name));
        progress(begun, ledger, "all compared");
        report(report, name, ledger, answers);
    }

    private void killServices(RunningStack stack, long begun, Ledger ledger) throws InterruptedException, IOException {
        Random random = new Random(seed);
        List<String> plan = new ArrayList<>();
        while (plan.size() < size.kills()) {
            List<String> each = new ArrayList<>(SERVICES);
            Collections.shuffle(each, random);
            plan.addAll(each.subList(0, Math.min(each.size(), size.kills() - plan.size())));
        }
        double[] times = random.doubles(plan.size(), 0, 0.95 * size.rows() / size.rate())
                .sorted()
                .toArray();
        try {
            for (int i = 0; i < times.length; i++) {
                long left = begun + (long) (times[i] * 1e9) - System.nanoTime();
                Thread.sleep(Duration.ofNanos(Math.max(0, left)));
                kill(stack, plan.get(i), random);
                progress(begun, ledger, "kill -9 " + plan.get(i));
            }
        } catch (NotRecoveredException e) {
            findings.add(Kind.NOT_RECOVERED, e.getMessage());
        }
    }

    /** Usually while it runs, sometimes while it is still starting. */
    private void kill(RunningStack stack, String service, Random random)
            throws InterruptedException, IOException, NotRecoveredException {
        if (random.nextInt(4) > 0) {
            Await.await(RECOVERY, service + " is ready", () -> stack.isReady(service));
            Thread.sleep(random.nextInt(3_000));
        }
        Await.await(
                RECOVERY,
                service + " runs",
                () -> ProcessHandle.of(stack.pid(service))
                        .map(ProcessHandle::destroyForcibly)
                        .orElse(false));
        killed.merge(service, 1, Integer::sum);
    }

    /** The last of the answers is one with all rows. */
    private void awaitArchived(RunningStack stack, CatalogClient catalog, Answers answers)
            throws InterruptedException, IOException {
        try (Admin admin = Admin.create(stack.kafka("admin"))) {
            Await.await(archiving, "all rows are archived", () -> isArchived(admin, catalog));
            long before = answers.checked();
            Await.await(RECOVERY, "Trino answers", () -> answers.checked() > before);
        } catch (NotRecoveredException e) {
            findings.add(Kind.NOT_RECOVERED, e.getMessage());
        }
    }

    private static boolean isArchived(Admin admin, CatalogClient catalog)
            throws IOException, ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            latest.put(new TopicPartition(STREAM, partition), OffsetSpec.latest());
        }
        Map<PartitionId, Long> archived = archivedThrough(catalog);
        String topicId = topicId(admin);
        return admin.listOffsets(latest).all().get().entrySet().stream()
                .allMatch(end -> archived.getOrDefault(
                                new PartitionId(topicId, end.getKey().partition()), 0L)
                        == end.getValue().offset());
    }

    private static Map<PartitionId, Long> archivedThrough(CatalogClient catalog) throws IOException {
        try {
            return catalog.archivedThrough(STREAM);
        } catch (CatalogException e) {
            throw new IOException(e); // It is down.
        }
    }

    private static String topicId(Admin admin) throws ExecutionException, InterruptedException {
        return admin.describeTopics(List.of(STREAM))
                .topicNameValues()
                .get(STREAM)
                .get()
                .topicId()
                .toString();
    }

    private void compare(
            RunningStack stack,
            CatalogClient catalog,
            ShipperTokens tokens,
            NumberedRow.Maker rows,
            Ledger ledger,
            Answers answers,
            Report report)
            throws Exception {
        TokenRules rules = catalog.tokenRules();
        ShippedLog log = ShippedLog.read(stack.kafka("admin"), STREAM);
        Verdicts verdicts = new Verdicts(tokens.given(), rules);
        TokenChecker checker = new TokenChecker(stack, STREAM, rows, log, verdicts, findings);
        checker.checkAcknowledged(ledger);
        verdicts.checkRevocations(tokens.revocations(), findings);
        report.add("records", "shipped", (double) log.size(), "records");
        report.add("records", "accepted", (double) checker.accepted(), "records");
        report.add("records", "refused", (double) (log.size() - checker.accepted()), "records");
        report.add("tokens", "given", tokens.given().size(), "tokens");
        report.add("tokens", "revoked", tokens.revocations().size(), "tokens");
        try {
            report.add("rows", "cold", (double) checker.checkRows(true), "rows");
            report.add("rows", "hot_and_cold", (double) checker.checkRows(false), "rows");
        } catch (SQLException e) {
            findings.add(Kind.UNREADABLE, e.getMessage());
        }
        try (Admin admin = Admin.create(stack.kafka("admin"))) {
            report.add("dead_letters", "written", (double) checker.checkDeadLetters(topicId(admin)), "records");
        }
        checker.checkReplay(rules);
        answers.compare(log, verdicts);
    }

    private void report(Report report, String name, Ledger ledger, Answers answers) {
        report.add(name, "rows_acknowledged", (double) ledger.acknowledged(), "rows");
        report.add(name, "rows_unknown", (double) ledger.unknown(), "rows");
        for (Kind kind : Kind.values()) {
            report.add(name, kind.name().toLowerCase(Locale.ROOT), findings.count(kind), "findings");
        }
        report.add(name, "answers_checked", (double) answers.checked(), "queries");
        report.add(name, "queries_failed", (double) answers.unanswered(), "queries");
        if (answers.unanswered() > 0) {
            System.err.println("faults: a query without an answer: " + answers.lastFailure());
        }
        killed.forEach((service, count) -> report.add("injected/kill -9 " + service, "count", count, "faults"));
    }

    private static void progress(long begun, Ledger ledger, String what) {
        System.err.printf(
                "%6.1f s  %,11d rows acknowledged  %s%n",
                (System.nanoTime() - begun) / 1e9, ledger.acknowledged(), what);
    }
}
