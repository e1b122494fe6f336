package io.cordwood.benchmarks.search;

import io.cordwood.benchmarks.data.BenchQuery;
import io.cordwood.benchmarks.data.DataSetOptions;
import io.cordwood.benchmarks.data.SqlDialect;
import io.cordwood.benchmarks.peer.ClickHousePeer;
import io.cordwood.benchmarks.peer.Comparison;
import io.cordwood.benchmarks.peer.Peer;
import io.cordwood.benchmarks.peer.RepeatOption;
import io.cordwood.benchmarks.peer.SqlPeer;
import io.cordwood.benchmarks.peer.WarmUp;
import io.cordwood.benchmarks.report.Percentiles;
import io.cordwood.benchmarks.report.Phases;
import io.cordwood.benchmarks.report.Report;
import io.cordwood.benchmarks.run.ProcessUsage;
import io.cordwood.benchmarks.run.Scratch;
import io.cordwood.benchmarks.stack.LineProducer;
import io.cordwood.benchmarks.stack.RunningStack;
import io.cordwood.benchmarks.table.TenantLogBlocks;
import java.io.IOException;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The query set over the search service's HTTP API on a real stack, compared with peers on the same rows. */
@Command(
        name = "search",
        description = "The query set over the search service's HTTP API, beside SQL through Trino and ClickHouse.",
        mixinStandardHelpOptions = true)
public final class SearchBench implements Callable<Integer> {
    private static final int QUICK_AGE_SECONDS = 4;
    private static final int AGE_SECONDS = 120;
    private static final int QUICK_RUNS = 2;
    private static final int RUNS = 15;
    private static final int QUICK_SMALL_RUNS = 20;
    private static final int SMALL_RUNS = 200;
    private static final int ARRIVAL_SECONDS = 900;
    private static final int WARM_UP_ROUNDS = 60;
    private static final double LEAST_MILLIS = 0.1;
    /** Maximum number of rows of a query that a person waits for. */
    private static final int FEW_ROWS = 100;

    private static final List<Integer> CLIENTS = List.of(8, 64);
    private static final int QUICK_CLIENT_SECONDS = 2;
    private static final int CLIENT_SECONDS = 20;
    private static final double P99 = 0.99;
    private static final double MEGABYTE = 1 << 20;

    private enum Part {
        /** The query set beside peers, and the small queries many times each. */
        QUERIES,
        /** Many clients at once. */
        CLIENTS,
        TAILS
    }

    @Mixin
    DataSetOptions data;

    @Mixin
    RepeatOption repeat;

    @Option(
            names = "--parts",
            split = ",",
            paramLabel = "PART",
            description = "Which of ${COMPLETION-CANDIDATES}. Default: all. TAILS alone loads no rows.")
    Set<Part> parts = EnumSet.allOf(Part.class);

    private final Report report = new Report("search", System.out);
    private final Phases phases = new Phases(report);

    @Override
    public Integer call() throws Exception {
        data.check();
        try (Scratch scratch = Scratch.create()) {
            phases.begin("start Kafka, prepare rows and answers");
            RunningStack stack = RunningStack.start(
                    scratch, TenantLogBlocks.STREAM, data.isQuick() ? QUICK_AGE_SECONDS : AGE_SECONDS);
            if (parts.contains(Part.QUERIES) || parts.contains(Part.CLIENTS)) {
                askTheQuerySet(stack, scratch);
            } else {
                phases.begin("start the rest of the stack");
                stack.awaitReady();
            }
            if (parts.contains(Part.TAILS)) {
                new TailsPart(stack, report, phases, data.isQuick()).run();
            }
            memory(stack);
            phases.begin("stop the stack");
        }
        phases.end();
        report.printTable();
        return 0;
    }

    private void askTheQuerySet(RunningStack stack, Scratch scratch)
            throws IOException, SQLException, InterruptedException {
        List<BenchQuery> queries = data.queries(scratch);
        String kafka = stack.awaitKafka();
        phases.begin("ship rows");
        LineProducer.Shipped shipped = LineProducer.ship(data.file(scratch), kafka, TenantLogBlocks.STREAM);
        phases.begin("start the rest of the stack");
        stack.awaitReady();
        phases.begin("wait until all rows are committed");
        stack.awaitRows(TenantLogBlocks.STREAM, shipped.rows(), ARRIVAL_SECONDS);
        try (Connection trino = stack.connect();
                SearchPeer search = SearchPeer.ofLines(stack.search(), TenantLogBlocks.STREAM);
                SearchPeer arrow = SearchPeer.ofArrow(stack.search(), TenantLogBlocks.STREAM)) {
            if (parts.contains(Part.QUERIES)) {
                measure(queries, search, List.of(arrow, sql(trino)), scratch);
                small(few(queries), search);
            }
            if (parts.contains(Part.CLIENTS)) {
                URI service = stack.search();
                clients(few(queries), "search", () -> SearchPeer.ofLines(service, TenantLogBlocks.STREAM));
                clients(few(queries), "sql", () -> sql(trino));
            }
        }
    }

    private static List<BenchQuery> few(List<BenchQuery> queries) {
        return queries.stream().filter(query -> query.expected() <= FEW_ROWS).toList();
    }

    private static Peer sql(Connection trino) {
        return new SqlPeer("sql", trino, SqlDialect.cordwood(TenantLogBlocks.STREAM));
    }

    private void measure(List<BenchQuery> queries, SearchPeer search, List<Peer> own, Scratch scratch)
            throws IOException, SQLException {
        List<Peer> peers = new ArrayList<>(own);
        if (!data.isQuick()) {
            phases.begin("load ClickHouse");
            ClickHousePeer.start(scratch, data.file(scratch)).ifPresent(peers::add);
        }
        phases.begin("queries: warm up");
        int rounds = WarmUp.run(search, peers, queries, data.isQuick() ? 1 : WARM_UP_ROUNDS);
        report.add("warm up", "rounds", rounds, "rounds");
        phases.begin("queries: measure");
        new Comparison(report, search, peers, LEAST_MILLIS, repeat.runs(data.isQuick() ? QUICK_RUNS : RUNS))
                .measure(queries, query -> "t" + query.tenant())
                .reportAnswers(report);
    }

    /** The queries that people wait for, many times each. */
    private void small(List<BenchQuery> queries, SearchPeer search) throws IOException {
        phases.begin("small queries");
        double median = 0;
        double worst = 0;
        for (BenchQuery query : queries) {
            double[] millis = new double[data.isQuick() ? QUICK_SMALL_RUNS : SMALL_RUNS];
            for (int run = 0; run < millis.length; run++) {
                millis[run] = search.ask(query).millis();
            }
            Percentiles times = Percentiles.of(millis);
            report.add(query.name() + "/alone", "median_ms", times.median(), "ms");
            report.add(query.name() + "/alone", "p99_ms", times.at(P99), "ms");
            median = Math.max(median, times.median());
            worst = Math.max(worst, times.at(P99));
        }
        report.add("small/slowest", "median_ms", median, "ms");
        report.add("small/slowest", "p99_ms", worst, "ms");
    }

    private void clients(List<BenchQuery> queries, String engine, ConcurrentClients.Connect connect)
            throws IOException, InterruptedException {
        for (int clients : CLIENTS) {
            phases.begin("%d clients of %s".formatted(clients, engine));
            ConcurrentClients asked = ConcurrentClients.run(
                    connect, queries, clients, data.isQuick() ? QUICK_CLIENT_SECONDS : CLIENT_SECONDS);
            String name = "clients/%d/%s".formatted(clients, engine);
            report.add(name, "queries_per_second", asked.perSecond(), "queries/s");
            report.add(name, "median_ms", asked.millis().median(), "ms");
            report.add(name, "p99_ms", asked.millis().at(P99), "ms");
            report.add(name, "answers_wrong", (double) asked.wrong(), "queries");
        }
    }

    private void memory(RunningStack stack) throws IOException {
        ProcessUsage usage = ProcessUsage.of(stack.pid("search"));
        report.add("memory", "rss_mb", usage.rssBytes() / MEGABYTE, "MB");
        report.add("memory", "peak_rss_mb", usage.peakRssBytes() / MEGABYTE, "MB");
    }
}
