package io.cordwood.benchmarks.query;

import io.cordwood.benchmarks.data.BenchQuery;
import io.cordwood.benchmarks.data.DataSetOptions;
import io.cordwood.benchmarks.data.SqlDialect;
import io.cordwood.benchmarks.peer.ClickHousePeer;
import io.cordwood.benchmarks.peer.Comparison;
import io.cordwood.benchmarks.peer.EnginePeer;
import io.cordwood.benchmarks.peer.Peer;
import io.cordwood.benchmarks.peer.RepeatOption;
import io.cordwood.benchmarks.peer.SqlPeer;
import io.cordwood.benchmarks.peer.WarmUp;
import io.cordwood.benchmarks.profile.CpuProfile;
import io.cordwood.benchmarks.profile.StageTable;
import io.cordwood.benchmarks.report.PeerRatios;
import io.cordwood.benchmarks.report.Percentiles;
import io.cordwood.benchmarks.report.Phases;
import io.cordwood.benchmarks.report.Report;
import io.cordwood.benchmarks.run.Scratch;
import io.cordwood.benchmarks.stack.LineProducer;
import io.cordwood.benchmarks.stack.RunningStack;
import io.cordwood.benchmarks.stack.ScanFigures;
import io.cordwood.benchmarks.stack.SqlRun;
import io.cordwood.benchmarks.table.StreamTables;
import io.cordwood.benchmarks.table.TenantLogBlocks;
import io.cordwood.benchmarks.table.TenantTable;
import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.tenant.TenantNames;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The query set in SQL through Trino on a real stack, compared with peers on the same rows. */
@Command(
        name = "query",
        description = "The query set through Trino on a real stack, compared with peers on the same rows.",
        mixinStandardHelpOptions = true)
public final class QueryBench implements Callable<Integer> {
    private static final List<String> QUICK_ABLATIONS = List.of("use_index");
    private static final String ICEBERG = "trino_iceberg";
    private static final int QUICK_AGE_SECONDS = 4;
    private static final int AGE_SECONDS = 120;
    private static final String QUICK_RANGE = "24h";
    private static final String QUICK_TENANT = "1";
    private static final int QUICK_RUNS = 2;
    private static final int RUNS = 15;
    private static final int ARRIVAL_SECONDS = 900;
    private static final int WARM_UP_ROUNDS = 60;
    /** The noise of a measurement through Trino: the minimum for a time above its floor. */
    private static final double LEAST_MILLIS = 1;
    /** A table for measuring the fixed cost of a query. */
    private static final String ONE_ROW = "one_row";
    /**
     * Number of runs such that the difference of two medians, each with some ten milliseconds of noise, is exact to a
     * millisecond or two.
     */
    private static final int FLOOR_RUNS = 41;
    /** Maximum number of rows of a query that should cost little more than one with a single row. */
    private static final int FEW_ROWS = 100;

    @Mixin
    DataSetOptions data;

    @Mixin
    RepeatOption repeat;

    @Option(
            names = "--up",
            paramLabel = "OPTION",
            description =
                    "An option of bin/cordwood up with its value, as in --up=--warehouse=s3://BUCKET/PREFIX; may be"
                            + " repeated. Prefix and database must be new; a warehouse in a store is not compared"
                            + " with other engines.")
    private List<String> up = List.of();

    @Option(
            names = "--stores",
            description =
                    "Instead of peers, run the set on the local disk with SQLite, then on an S3 store with PostgreSQL,"
                            + " both started here, and print the figures side by side.")
    private boolean stores;

    private final Report report = new Report("query", System.out);
    private final Phases phases = new Phases(report);

    @Override
    public Integer call() throws Exception {
        data.check();
        if (stores) {
            new StoresPart(data, repeat.runs(data.isQuick() ? QUICK_RUNS : RUNS), report, phases).run(System.out);
            phases.end();
            report.printTable();
            return 0;
        }
        // A quick run uses only artifacts that the build has already fetched.
        boolean store = up.stream().anyMatch(option -> option.startsWith("--warehouse=s3:"));
        boolean iceberg = !data.isQuick() && !store && RunningStack.hasIcebergConnector();
        if (!data.isQuick() && !store && !iceberg) {
            System.err.println("bench: Trino's Iceberg connector is missing and cannot be fetched: skipping it");
        }
        try (Scratch scratch = Scratch.create()) {
            phases.begin("start Kafka, prepare rows and answers");
            RunningStack stack = RunningStack.start(
                    scratch,
                    TenantLogBlocks.STREAM,
                    data.isQuick() ? QUICK_AGE_SECONDS : AGE_SECONDS,
                    options(iceberg));
            List<BenchQuery> queries = data.queries(scratch).stream()
                    .filter(query -> !data.isQuick()
                            || (query.range().equals(QUICK_RANGE)
                                    && query.tenant().equals(QUICK_TENANT)))
                    .toList();
            if (queries.isEmpty()) {
                throw new IOException("--quick runs the queries of tenant %s over %s, and there are none"
                        .formatted(QUICK_TENANT, QUICK_RANGE));
            }
            String kafka = stack.awaitKafka();
            phases.begin("ship rows");
            LineProducer.shipOne(ONE_ROW, "{\"log\":\"alone\"}", kafka, TenantLogBlocks.STREAM);
            LineProducer.Shipped shipped = LineProducer.ship(data.file(scratch), kafka, TenantLogBlocks.STREAM);
            phases.begin("start the rest of the stack");
            stack.awaitReady();
            phases.begin("wait until all rows are committed");
            stack.awaitRows(TenantLogBlocks.STREAM, shipped.rows() + 1, ARRIVAL_SECONDS);
            try (Connection trino = stack.connect();
                    Connection duckDb = DriverManager.getConnection("jdbc:duckdb:")) {
                SqlPeer ours = new SqlPeer("cordwood", trino, SqlDialect.cordwood(TenantLogBlocks.STREAM));
                List<Peer> peers = store ? List.of() : peers(queries, trino, duckDb, iceberg, stack, scratch);
                measure(queries, ours, peers, trino, stack, scratch);
            }
            phases.begin("stop the stack");
        }
        phases.end();
        report.printTable();
        return 0;
    }

    private String[] options(boolean iceberg) {
        List<String> options = new ArrayList<>(up);
        if (iceberg) {
            options.add("--iceberg");
        }
        return options.toArray(String[]::new);
    }

    private List<Peer> peers(
            List<BenchQuery> queries,
            Connection trino,
            Connection duckDb,
            boolean iceberg,
            RunningStack stack,
            Scratch scratch)
            throws IOException, SQLException, InterruptedException {
        List<Peer> peers = new ArrayList<>();
        try (Statement statement = duckDb.createStatement()) {
            statement.execute("SET threads = " + EnginePeer.THREADS);
        }
        peers.add(new SqlPeer("duckdb", duckDb, SqlDialect.duckDb(files(queries, URI.create(stack.catalog())))));
        if (iceberg) {
            peers.add(new SqlPeer(ICEBERG, trino, SqlDialect.trinoIceberg(TenantLogBlocks.STREAM)));
        }
        if (!data.isQuick()) {
            phases.begin("load ClickHouse");
            ClickHousePeer.start(scratch, data.file(scratch)).ifPresent(peers::add);
        }
        return peers;
    }

    /** The current LogBlocks of the queried tenants. LogBlocks that are merged later outlast the run. */
    private static Map<String, List<Path>> files(List<BenchQuery> queries, URI catalogUri) throws IOException {
        Map<String, List<Path>> files = new TreeMap<>();
        try (CatalogClient catalog = CatalogClient.connect(catalogUri, Map.of())) {
            for (BenchQuery query : queries) {
                if (!files.containsKey(query.tenant())) {
                    TenantTable table = StreamTables.table(
                            catalog.catalog().loadTable(TenantNames.table(query.tenant(), TenantLogBlocks.STREAM)));
                    files.put(
                            query.tenant(),
                            table.blocks().stream()
                                    .map(TenantTable.Stored::file)
                                    .toList());
                }
            }
        }
        return files;
    }

    private void measure(
            List<BenchQuery> queries,
            SqlPeer ours,
            List<Peer> peers,
            Connection trino,
            RunningStack stack,
            Scratch scratch)
            throws IOException, SQLException, InterruptedException {
        int runs = repeat.runs(data.isQuick() ? QUICK_RUNS : RUNS);
        phases.begin("queries: warm up, count bytes");
        int rounds = WarmUp.run(ours, peers, queries, data.isQuick() ? 1 : WARM_UP_ROUNDS);
        report.add("warm up", "rounds", rounds, "rounds");
        for (BenchQuery query : queries) {
            ScanFigures scan = ScanFigures.of(trino, ours.sql(query));
            report.add(query.name() + "/warm", "bytes_read", (double) scan.bytesRead(), "bytes");
            report.add(query.name() + "/warm", "requests", (double) scan.requests(), "requests");
        }
        if (!data.isQuick()) {
            profile(queries, ours, runs, stack, scratch);
        }
        phases.begin("queries: measure");
        Comparison.Result result =
                new Comparison(report, ours, peers, LEAST_MILLIS, runs).measure(queries, query -> "t" + query.tenant());
        result.reportAnswers(report);
        if (!data.isQuick()) {
            phases.begin("queries: floors");
            floors(queries, ours, trino, FLOOR_RUNS);
        }
        for (Peer peer : peers) {
            if (peer.name().equals(ICEBERG)) {
                compareBytes(queries, ours, peer, trino);
            }
        }
        for (String ablation : data.isQuick() ? QUICK_ABLATIONS : switches(trino)) {
            phases.begin("queries: " + ablation + "=false");
            ablate(queries, ours, trino, ablation);
        }
    }

    /** The session properties that switch an optimisation off: all that are boolean. */
    private static List<String> switches(Connection trino) throws SQLException {
        List<String> names = new ArrayList<>();
        try (Statement statement = trino.createStatement();
                ResultSet properties = statement.executeQuery("SHOW SESSION LIKE 'cordwood.%'")) {
            while (properties.next()) {
                if (properties.getString("Type").equals("boolean")) {
                    names.add(properties.getString("Name").substring("cordwood.".length()));
                }
            }
        }
        return names;
    }

    /** Profiles Trino's CPU and the client's time in warm runs of Cordwood. */
    private void profile(List<BenchQuery> queries, SqlPeer ours, int runs, RunningStack stack, Scratch scratch)
            throws IOException, SQLException, InterruptedException {
        phases.begin("queries: profile");
        CpuProfile profile = CpuProfile.start(stack.pid("trino"), StageTable.load("query.stages"), scratch);
        QueryWall wall = new QueryWall();
        for (BenchQuery query : queries) {
            for (int run = 0; run < runs; run++) {
                SqlRun ran = ours.run(query);
                wall.add(ran.millis(), ran.stats().orElseThrow());
            }
        }
        CpuProfile.Shares shares = profile.stop();
        wall.report(report);
        shares.report(report, wall.queries(), "query");
    }

    /** Measures the fixed cost of a query, and alternately the time above it of queries with few rows. */
    private void floors(List<BenchQuery> queries, Peer ours, Connection trino, int runs)
            throws IOException, SQLException {
        String oneRow = "SELECT count(*) FROM cordwood.%s.%s".formatted(ONE_ROW, TenantLogBlocks.STREAM);
        report.add("floor/select_1", "median_ms", SqlRun.medianMillis(trino, "SELECT 1", runs), "ms");
        report.add("floor/one_row", "median_ms", SqlRun.medianMillis(trino, oneRow, runs), "ms");
        double most = 0;
        for (BenchQuery query : queries) {
            if (query.rowsReturned() <= FEW_ROWS) {
                double[] millis = new double[runs];
                double[] floor = new double[runs];
                for (int run = 0; run < runs; run++) {
                    millis[run] = ours.ask(query).millis();
                    floor[run] = SqlRun.of(trino, oneRow, false).millis();
                }
                double above =
                        Percentiles.of(millis).median() - Percentiles.of(floor).median();
                report.add(query.name() + "/warm", "above_floor_ms", above, "ms");
                most = Math.max(most, above);
            }
        }
        report.add("maximum", "above_floor_ms", most, "ms");
    }

    /**
     * Bytes that both connectors read from storage by Trino's count; Cordwood without its cache, because the other
     * connector has none.
     */
    private void compareBytes(List<BenchQuery> queries, Peer ours, Peer theirs, Connection trino)
            throws IOException, SQLException {
        PeerRatios ratios = new PeerRatios();
        set(trino, "use_cache", false);
        for (BenchQuery query : queries) {
            double own = (double) ours.ask(query).bytes();
            double other = (double) theirs.ask(query).bytes();
            report.add(query.name() + "/uncached", "bytes_read", own, "bytes");
            report.add(query.name() + "/" + theirs.name(), "bytes_read", other, "bytes");
            ratios.add("t" + query.tenant(), own, other, 1);
        }
        set(trino, "use_cache", true);
        ratios.report(report, theirs.name(), "bytes_ratio_geomean");
    }

    private void ablate(List<BenchQuery> queries, Peer ours, Connection trino, String ablation)
            throws IOException, SQLException {
        set(trino, ablation, false);
        int right = 0;
        for (BenchQuery query : queries) {
            right += query.isRight(ours.ask(query).answer().rows()) ? 1 : 0;
        }
        set(trino, ablation, true);
        report.add(ablation + "=false", "answers_right", right, "queries");
        report.add(ablation + "=false", "answers_total", queries.size(), "queries");
    }

    private static void set(Connection trino, String property, boolean value) throws SQLException {
        try (Statement statement = trino.createStatement()) {
            statement.execute("SET SESSION cordwood.%s = %s".formatted(property, value));
        }
    }
}
