package io.cordwood.benchmarks.query;

import io.cordwood.benchmarks.data.BenchQuery;
import io.cordwood.benchmarks.data.DataSetOptions;
import io.cordwood.benchmarks.data.SqlDialect;
import io.cordwood.benchmarks.peer.SqlPeer;
import io.cordwood.benchmarks.peer.WarmUp;
import io.cordwood.benchmarks.report.Percentiles;
import io.cordwood.benchmarks.report.Phases;
import io.cordwood.benchmarks.report.Report;
import io.cordwood.benchmarks.run.Scratch;
import io.cordwood.benchmarks.stack.LineProducer;
import io.cordwood.benchmarks.stack.RunningStack;
import io.cordwood.benchmarks.stack.ScanFigures;
import io.cordwood.benchmarks.table.TenantLogBlocks;
import io.cordwood.services.S3Account;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Runs the query set on a stack with warehouse and catalog on the local disk (SQLite), then on one with them in an S3
 * store and PostgreSQL, both on this machine, and prints the figures side by side. It runs only Cordwood, no peers. Not
 * thread-safe.
 */
final class StoresPart {
    private static final String DISK = "disk";
    private static final String S3 = "s3";
    private static final int AGE_SECONDS = 60;
    private static final int ARRIVAL_SECONDS = 600;
    private static final int WARM_UP_ROUNDS = 30;
    private static final int UNCACHED_RUNS = 3;

    private final DataSetOptions data;
    private final int runs;
    private final Report report;
    private final Phases phases;

    /** @param runs warm runs of each query */
    StoresPart(DataSetOptions data, int runs, Report report, Phases phases) {
        this.data = data;
        this.runs = runs;
        this.report = report;
        this.phases = phases;
    }

    /**
     * Times of a query.
     *
     * @param warmMillis median with caches
     * @param uncachedMillis median without caches: all reads go to the store
     * @param uncached reads without caches
     */
    private record Figures(double warmMillis, double uncachedMillis, ScanFigures uncached) {}

    /** Runs both, and prints a table of each query on both stacks. */
    void run(PrintStream out) throws IOException, SQLException, InterruptedException {
        List<BenchQuery> queries;
        List<Figures> disk;
        try (Scratch scratch = Scratch.create()) {
            queries = data.queries(scratch);
            disk = on(DISK, queries, scratch, Map.of());
        }
        List<Figures> s3;
        try (Scratch scratch = Scratch.create()) {
            Service store = kept(scratch, TestServices.objectStore());
            Service database = kept(scratch, TestServices.postgresql());
            s3 = on(
                    S3,
                    queries,
                    scratch,
                    S3Account.environment(),
                    "--warehouse",
                    "s3://%s/warehouse".formatted(S3Account.BUCKET),
                    "--s3-endpoint",
                    store.url(),
                    "--s3-path-style",
                    "--catalog-db",
                    database.url());
        }
        compare(queries, disk, s3, out);
    }

    private static Service kept(Scratch scratch, Service service) throws IOException {
        Closeable end = service::close;
        scratch.start(() -> end);
        return service;
    }

    private List<Figures> on(
            String name, List<BenchQuery> queries, Scratch scratch, Map<String, String> environment, String... options)
            throws IOException, SQLException, InterruptedException {
        phases.begin(name + ": ship rows");
        RunningStack stack = RunningStack.start(scratch, environment, TenantLogBlocks.STREAM, AGE_SECONDS, options);
        long rows = LineProducer.ship(data.file(scratch), stack.awaitKafka(), TenantLogBlocks.STREAM)
                .rows();
        stack.awaitReady();
        phases.begin(name + ": wait until all rows are committed");
        stack.awaitRows(TenantLogBlocks.STREAM, rows, ARRIVAL_SECONDS);
        try (Connection trino = stack.connect()) {
            SqlPeer ours = new SqlPeer("cordwood", trino, SqlDialect.cordwood(TenantLogBlocks.STREAM));
            phases.begin(name + ": warm up");
            WarmUp.run(ours, List.of(), queries, WARM_UP_ROUNDS);
            return measure(name, queries, ours, trino);
        }
    }

    private List<Figures> measure(String name, List<BenchQuery> queries, SqlPeer ours, Connection trino)
            throws SQLException {
        int right = 0;
        phases.begin(name + ": with caches");
        List<Double> warm = new ArrayList<>();
        for (BenchQuery query : queries) {
            warm.add(median(ours, query, runs));
        }
        phases.begin(name + ": without caches");
        List<Figures> figures = new ArrayList<>();
        for (int i = 0; i < queries.size(); i++) {
            BenchQuery query = queries.get(i);
            boolean cached = query.isRight(ours.ask(query).answer().rows());
            useCache(trino, false);
            boolean uncached = query.isRight(ours.ask(query).answer().rows());
            Figures found = new Figures(
                    warm.get(i), median(ours, query, UNCACHED_RUNS), ScanFigures.of(trino, ours.sql(query)));
            useCache(trino, true);
            right += cached && uncached ? 1 : 0;
            figures.add(found);
            String at = "%s/%s/".formatted(name, query.name());
            report.add(at + "warm", "median_ms", found.warmMillis(), "ms");
            report.add(at + "uncached", "median_ms", found.uncachedMillis(), "ms");
            report.add(at + "uncached", "bytes_read", (double) found.uncached().bytesRead(), "bytes");
            report.add(at + "uncached", "requests", (double) found.uncached().requests(), "requests");
        }
        report.add(name, "answers_right", right, "queries");
        report.add(name, "answers_total", queries.size(), "queries");
        return figures;
    }

    private static double median(SqlPeer ours, BenchQuery query, int runs) throws SQLException {
        double[] millis = new double[runs];
        for (int run = 0; run < runs; run++) {
            millis[run] = ours.ask(query).millis();
        }
        return Percentiles.of(millis).median();
    }

    private static void useCache(Connection trino, boolean value) throws SQLException {
        try (Statement statement = trino.createStatement()) {
            statement.execute("SET SESSION cordwood.use_cache = " + value);
        }
    }

    private void compare(List<BenchQuery> queries, List<Figures> disk, List<Figures> s3, PrintStream out) {
        double warm = 0;
        double uncached = 0;
        out.printf("%n%-14s %21s %23s %19s %19s%n", "", "warm ms, disk  s3", "uncached ms, disk  s3", "requests", "MB");
        for (int i = 0; i < queries.size(); i++) {
            Figures here = disk.get(i);
            Figures there = s3.get(i);
            warm += Math.log(there.warmMillis() / here.warmMillis());
            uncached += Math.log(there.uncachedMillis() / here.uncachedMillis());
            out.printf(
                    "%-14s %10.1f %10.1f %12.1f %10.1f %9d %9d %9.2f %9.2f%n",
                    queries.get(i).name(),
                    here.warmMillis(),
                    there.warmMillis(),
                    here.uncachedMillis(),
                    there.uncachedMillis(),
                    here.uncached().requests(),
                    there.uncached().requests(),
                    here.uncached().bytesRead() / 1e6,
                    there.uncached().bytesRead() / 1e6);
        }
        report.add("s3_over_disk/warm", "time_ratio_geomean", Math.exp(warm / queries.size()), "ratio");
        report.add("s3_over_disk/uncached", "time_ratio_geomean", Math.exp(uncached / queries.size()), "ratio");
    }
}
