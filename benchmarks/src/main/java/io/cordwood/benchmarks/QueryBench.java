package io.cordwood.benchmarks;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The query set in SQL through Trino, on a real stack, beside DuckDB on the same files. */
@Command(
        name = "query",
        description = "The query set through Trino on a real stack, beside DuckDB on the same files.",
        mixinStandardHelpOptions = true)
final class QueryBench implements Callable<Integer> {
    private static final List<String> ABLATIONS = List.of(
            "all",
            "use_index",
            "use_time_index",
            "use_statistics",
            "use_prefetch",
            "use_cache",
            "push_aggregation",
            "push_topn");

    /** What is left of a time that is no longer than its floor: ratios need something above 0. */
    private static final double LEAST_MILLIS = 0.1;

    private static final List<String> QUICK_ABLATIONS = List.of("all", "use_index");

    @Mixin
    DataSetOptions data;

    @Option(names = "--repeat", description = "Warm runs of each query (default: 2 with --quick, else 15).")
    int repeat;

    private final Report report = new Report("query", System.out);

    /** How a query went: its answer, and what the runs took. */
    private record Outcome(boolean right, Percentiles millis) {}

    /** Milliseconds for a query that selects nothing, ours and the peer's. */
    private record Floor(double ours, double theirs) {}

    @Override
    public Integer call() throws Exception {
        Path ndjson = data.file();
        List<BenchQuery> queries =
                data.queries.isPresent() ? BenchQuery.load(data.queries.get()) : DerivedQueries.of(ndjson);
        try (RunningStack stack = RunningStack.start(IngestBench.STREAM, data.quick ? 6 : 120)) {
            LineProducer.Shipped shipped = LineProducer.ship(ndjson, stack.kafka(), IngestBench.STREAM);
            stack.awaitRows(IngestBench.STREAM, shipped.rows(), 900);
            try (Connection trino = stack.connect();
                    Connection duckDb = DriverManager.getConnection("jdbc:duckdb:")) {
                measure(queries, trino, duckDb, stack);
            }
        }
        report.printTable();
        return 0;
    }

    private void measure(List<BenchQuery> queries, Connection trino, Connection duckDb, RunningStack stack)
            throws SQLException {
        int runs = repeat > 0 ? repeat : data.quick ? 2 : 15;
        Map<String, double[]> logRatios = new LinkedHashMap<>();
        Map<String, Floor> floors = new HashMap<>();
        for (String ablation : data.quick ? QUICK_ABLATIONS : ABLATIONS) {
            boolean all = ablation.equals("all");
            set(trino, ablation, false);
            int right = 0;
            for (BenchQuery query : queries) {
                Outcome outcome = run(trino, query, query.sql(IngestBench.STREAM), all ? runs : 1, all ? runs : 0);
                right += outcome.right() ? 1 : 0;
                if (all) {
                    reportQuery(query, outcome, ScanFigures.of(trino, query.sql(IngestBench.STREAM)));
                    double peer = run(duckDb, query, query.duckDbSql(files(stack, query)), runs, runs)
                            .millis()
                            .median();
                    Floor floor = floors.get(query.tenant());
                    if (floor == null) {
                        floor = floor(query.overEmptyRange(), trino, duckDb, stack, runs);
                        floors.put(query.tenant(), floor);
                    }
                    double[] sum = logRatios.computeIfAbsent("vs_duckdb/t" + query.tenant(), name -> new double[2]);
                    sum[0] += Math.log(above(floor.ours(), outcome.millis().median()) / above(floor.theirs(), peer));
                    sum[1]++;
                }
            }
            set(trino, ablation, true);
            report.add(all ? "all" : ablation + "=false", "answers_right", right, "queries");
            report.add(all ? "all" : ablation + "=false", "answers_total", queries.size(), "queries");
        }
        logRatios.forEach(
                (name, sum) -> report.add(name, "time_ratio_geomean", Math.exp(sum[0] / sum[1]), "ours/theirs"));
    }

    /** What both take for a query of the tenant that selects nothing; reported beside the ratios, which are above it. */
    private Floor floor(BenchQuery nothing, Connection trino, Connection duckDb, RunningStack stack, int runs)
            throws SQLException {
        double ours = run(trino, nothing, nothing.sql(IngestBench.STREAM), runs, runs)
                .millis()
                .median();
        double theirs = run(duckDb, nothing, nothing.duckDbSql(files(stack, nothing)), runs, runs)
                .millis()
                .median();
        report.add("floor/t" + nothing.tenant(), "median_ms", ours, "ms");
        report.add("duckdb_floor/t" + nothing.tenant(), "median_ms", theirs, "ms");
        return new Floor(ours, theirs);
    }

    private static double above(double floor, double millis) {
        return Math.max(LEAST_MILLIS, millis - floor);
    }

    private void reportQuery(BenchQuery query, Outcome outcome, ScanFigures figures) {
        String name = query.name() + "/warm";
        report.add(name, "median_ms", outcome.millis().median(), "ms");
        report.add(name, "p95_ms", outcome.millis().at(0.95), "ms");
        report.add(name, "bytes_read", (double) figures.bytesRead(), "bytes");
        report.add(name, "requests", (double) figures.requests(), "requests");
    }

    private static String files(RunningStack stack, BenchQuery query) {
        return stack.warehouse().resolve(query.tenant()).resolve(IngestBench.STREAM) + "/data/*/*.parquet";
    }

    private static void set(Connection trino, String property, boolean value) throws SQLException {
        if (!property.equals("all")) {
            try (Statement statement = trino.createStatement()) {
                statement.execute("SET SESSION cordwood.%s = %s".formatted(property, value));
            }
        }
    }

    private static Outcome run(Connection connection, BenchQuery query, String sql, int runs, int warmUps)
            throws SQLException {
        double[] millis = new double[runs];
        boolean right = true;
        for (int run = -warmUps; run < runs; run++) {
            long start = System.nanoTime();
            long rows = 0;
            long sum = 0;
            try (Statement statement = connection.createStatement();
                    ResultSet result = statement.executeQuery(sql)) {
                while (result.next()) {
                    rows++;
                    sum += query.template().equals("Q7") ? result.getLong(2) : 0;
                }
            }
            if (run >= 0) {
                millis[run] = (System.nanoTime() - start) / 1e6;
            }
            if (!query.isRight(rows, sum)) {
                right = false;
                if (run == runs - 1) {
                    System.err.printf(
                            "%s by %s: %d rows, sum %d; expected %d%n",
                            query.name(),
                            connection.getMetaData().getDatabaseProductName(),
                            rows,
                            sum,
                            query.expected());
                }
            }
        }
        return new Outcome(right, Percentiles.of(millis));
    }
}
