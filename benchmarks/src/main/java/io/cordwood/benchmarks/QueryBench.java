package io.cordwood.benchmarks;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The query set in SQL through Trino, on a real stack, beside DuckDB on the same files. */
@Command(
        name = "query",
        description = "The query set through Trino on a real stack, beside DuckDB on the same files.",
        mixinStandardHelpOptions = true)
final class QueryBench implements Callable<Integer> {
    private static final List<String> ABLATIONS = List.of(
            "use_index",
            "use_time_index",
            "use_statistics",
            "use_prefetch",
            "use_cache",
            "push_aggregation",
            "push_topn");
    private static final List<String> QUICK_ABLATIONS = List.of("use_index");
    private static final int QUICK_AGE_SECONDS = 4;
    private static final int AGE_SECONDS = 120;
    private static final String QUICK_RANGE = "24h";
    private static final int QUICK_RUNS = 2;
    private static final int RUNS = 15;
    private static final int ARRIVAL_SECONDS = 900;

    @Mixin
    DataSetOptions data;

    @Mixin
    RepeatOption repeat;

    private final Report report = new Report("query", System.out);
    private final Phases phases = new Phases(report);

    @Override
    public Integer call() throws Exception {
        data.check();
        try (Scratch scratch = Scratch.create()) {
            phases.begin("start Kafka, prepare rows and answers");
            RunningStack stack =
                    RunningStack.start(scratch, IngestBench.STREAM, data.quick ? QUICK_AGE_SECONDS : AGE_SECONDS);
            List<BenchQuery> queries = data.queries(scratch).stream()
                    .filter(query -> !data.quick || query.range().equals(QUICK_RANGE))
                    .toList();
            String kafka = stack.awaitKafka();
            phases.begin("ship rows");
            LineProducer.Shipped shipped = LineProducer.ship(data.file(scratch), kafka, IngestBench.STREAM);
            phases.begin("start the rest of the stack");
            stack.awaitReady();
            phases.begin("wait until all rows are committed");
            stack.awaitRows(IngestBench.STREAM, shipped.rows(), ARRIVAL_SECONDS);
            try (Connection trino = stack.connect();
                    Connection duckDb = DriverManager.getConnection("jdbc:duckdb:")) {
                measure(queries, trino, duckDb, stack, scratch);
            }
            phases.begin("stop the stack");
        }
        phases.end();
        report.printTable();
        return 0;
    }

    private void measure(
            List<BenchQuery> queries, Connection trino, Connection duckDb, RunningStack stack, Scratch scratch)
            throws IOException, SQLException, InterruptedException {
        int runs = repeat.runs(data.quick ? QUICK_RUNS : RUNS);
        phases.begin("queries: warm up, count bytes");
        Map<BenchQuery, ScanFigures> scans = new LinkedHashMap<>();
        for (BenchQuery query : queries) {
            // Counting runs the query too: with --quick that is all of its warming up.
            scans.put(query, ScanFigures.of(trino, query.sql(IngestBench.STREAM)));
            for (int run = data.quick ? runs : 0; run < runs; run++) {
                QueryRun.of(trino, query, query.sql(IngestBench.STREAM));
            }
            QueryRun.of(duckDb, query, query.duckDbSql(files(stack, query)));
        }
        compare(queries, trino, duckDb, stack, scratch, runs, scans);
        for (String ablation : data.quick ? QUICK_ABLATIONS : ABLATIONS) {
            phases.begin("queries: " + ablation + "=false");
            ablate(queries, trino, ablation);
        }
    }

    /** Warm runs of ours and the peer's in turn, while Trino is profiled. */
    private void compare(
            List<BenchQuery> queries,
            Connection trino,
            Connection duckDb,
            RunningStack stack,
            Scratch scratch,
            int runs,
            Map<BenchQuery, ScanFigures> scans)
            throws IOException, SQLException, InterruptedException {
        phases.begin("queries: measure");
        CpuProfile profile = CpuProfile.start(stack.pid("trino"), StageTable.load("query.stages"), scratch);
        QueryWall wall = new QueryWall();
        int right = 0;
        Map<BenchQuery, PeerRatios.Times> times = new LinkedHashMap<>();
        for (BenchQuery query : queries) {
            double[] millis = new double[runs];
            boolean allRight = true;
            for (int run = 0; run < runs; run++) {
                QueryRun ran = QueryRun.of(trino, query, query.sql(IngestBench.STREAM));
                allRight &= ran.right();
                millis[run] = ran.millis();
                wall.add(ran.millis(), ran.stats().orElseThrow());
            }
            right += allRight ? 1 : 0;
            Percentiles ours = Percentiles.of(millis);
            double theirs = QueryRun.medianMillis(duckDb, query, query.duckDbSql(files(stack, query)), runs);
            reportQuery(query, ours, scans.get(query));
            times.put(query, new PeerRatios.Times(ours.median(), theirs));
        }
        CpuProfile.Shares shares = profile.stop();
        answers("all", right, queries.size());
        phases.begin("queries: floors");
        PeerRatios ratios = new PeerRatios();
        Map<String, PeerRatios.Times> floors = new LinkedHashMap<>();
        for (BenchQuery query : queries) {
            PeerRatios.Times floor = floors.get(query.tenant());
            if (floor == null) {
                floor = floor(query.overEmptyRange(), trino, duckDb, stack, runs);
                floors.put(query.tenant(), floor);
            }
            ratios.add(query.tenant(), times.get(query), floor);
        }
        ratios.report(report, "duckdb");
        wall.report(report);
        shares.report(report, wall.queries(), "query");
    }

    private void ablate(List<BenchQuery> queries, Connection trino, String ablation) throws SQLException {
        set(trino, ablation, false);
        int right = 0;
        for (BenchQuery query : queries) {
            right += QueryRun.of(trino, query, query.sql(IngestBench.STREAM)).right() ? 1 : 0;
        }
        set(trino, ablation, true);
        answers(ablation + "=false", right, queries.size());
    }

    private void answers(String name, int right, int total) {
        report.add(name, "answers_right", right, "queries");
        report.add(name, "answers_total", total, "queries");
    }

    /** What both take for a query of the tenant that selects nothing; reported beside the ratios, which are above it. */
    private PeerRatios.Times floor(
            BenchQuery nothing, Connection trino, Connection duckDb, RunningStack stack, int runs)
            throws IOException, SQLException, InterruptedException {
        String theirSql = nothing.duckDbSql(files(stack, nothing));
        QueryRun.of(trino, nothing, nothing.sql(IngestBench.STREAM));
        QueryRun.of(duckDb, nothing, theirSql);
        double ours = QueryRun.medianMillis(trino, nothing, nothing.sql(IngestBench.STREAM), runs);
        double theirs = QueryRun.medianMillis(duckDb, nothing, theirSql, runs);
        report.add("floor/t" + nothing.tenant(), "median_ms", ours, "ms");
        report.add("duckdb_floor/t" + nothing.tenant(), "median_ms", theirs, "ms");
        return new PeerRatios.Times(ours, theirs);
    }

    private void reportQuery(BenchQuery query, Percentiles millis, ScanFigures scan) {
        String name = query.name() + "/warm";
        report.add(name, "median_ms", millis.median(), "ms");
        report.add(name, "p95_ms", millis.at(0.95), "ms");
        report.add(name, "bytes_read", (double) scan.bytesRead(), "bytes");
        report.add(name, "requests", (double) scan.requests(), "requests");
    }

    private static String files(RunningStack stack, BenchQuery query) throws IOException, InterruptedException {
        return stack.warehouse().resolve(query.tenant()).resolve(IngestBench.STREAM) + "/data/*/*.parquet";
    }

    private static void set(Connection trino, String property, boolean value) throws SQLException {
        try (Statement statement = trino.createStatement()) {
            statement.execute("SET SESSION cordwood.%s = %s".formatted(property, value));
        }
    }
}
