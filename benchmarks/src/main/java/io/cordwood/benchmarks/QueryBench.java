package io.cordwood.benchmarks;

import io.trino.jdbc.TrinoResultSet;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
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

    @Mixin
    DataSetOptions data;

    @Option(names = "--repeat", description = "Warm runs of each query (default: 3 with --quick, else 15).")
    int repeat;

    private final Report report = new Report("query", System.out);

    /** How a query went: its answer, and what the runs took. */
    private record Outcome(boolean right, Percentiles millis, long bytes) {}

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
        int runs = repeat > 0 ? repeat : data.quick ? 3 : 15;
        double floor = run(trino, "SELECT 1", runs, runs * 3).millis().median();
        report.add("SELECT 1", "median_ms", floor, "ms");
        Map<String, double[]> logRatios = new LinkedHashMap<>();
        for (String ablation : ABLATIONS) {
            boolean all = ablation.equals("all");
            set(trino, ablation, false);
            int right = 0;
            for (BenchQuery query : queries) {
                Outcome outcome = run(trino, query, query.sql(IngestBench.STREAM), all ? runs : 1, all ? runs : 0);
                right += outcome.right() ? 1 : 0;
                if (all) {
                    reportQuery(query, outcome);
                    double peer = run(duckDb, query, query.duckDbSql(files(stack, query)), runs, runs)
                            .millis()
                            .median();
                    double ours = Math.max(0.1, outcome.millis().median() - floor);
                    double[] sum = logRatios.computeIfAbsent("vs_duckdb/t" + query.tenant(), name -> new double[2]);
                    sum[0] += Math.log(ours / peer);
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

    private void reportQuery(BenchQuery query, Outcome outcome) {
        String name = query.name() + "/warm";
        report.add(name, "median_ms", outcome.millis().median(), "ms");
        report.add(name, "p95_ms", outcome.millis().at(0.95), "ms");
        report.add(name, "bytes_read", (double) outcome.bytes(), "bytes");
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

    private static Outcome run(Connection connection, String sql, int runs, int warmUps) throws SQLException {
        double[] millis = new double[runs];
        for (int run = -warmUps; run < runs; run++) {
            long start = System.nanoTime();
            try (Statement statement = connection.createStatement();
                    ResultSet result = statement.executeQuery(sql)) {
                while (result.next()) {
                    result.getObject(1);
                }
            }
            if (run >= 0) {
                millis[run] = (System.nanoTime() - start) / 1e6;
            }
        }
        return new Outcome(true, Percentiles.of(millis), 0);
    }

    private static Outcome run(Connection connection, BenchQuery query, String sql, int runs, int warmUps)
            throws SQLException {
        double[] millis = new double[runs];
        boolean right = true;
        long bytes = 0;
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
                if (result.isWrapperFor(TrinoResultSet.class)) {
                    bytes = result.unwrap(TrinoResultSet.class).getStats().getProcessedBytes();
                }
            }
            if (run >= 0) {
                millis[run] = (System.nanoTime() - start) / 1e6;
            }
            if (!query.isRight(rows, sum)) {
                right = false;
                if (run == runs - 1) {
                    System.err.printf("%s: %d rows, sum %d; expected %d%n", query.name(), rows, sum, query.expected());
                }
            }
        }
        return new Outcome(right, Percentiles.of(millis), bytes);
    }
}
