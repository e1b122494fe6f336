package io.cordwood.benchmarks.logblock;

import io.cordwood.benchmarks.data.BenchQuery;
import io.cordwood.benchmarks.data.DataSetOptions;
import io.cordwood.benchmarks.data.RequestRow;
import io.cordwood.benchmarks.peer.ClickHousePeer;
import io.cordwood.benchmarks.peer.Comparison;
import io.cordwood.benchmarks.peer.EnginePeer;
import io.cordwood.benchmarks.peer.LucenePeer;
import io.cordwood.benchmarks.peer.Peer;
import io.cordwood.benchmarks.peer.RepeatOption;
import io.cordwood.benchmarks.peer.WarmUp;
import io.cordwood.benchmarks.report.Phases;
import io.cordwood.benchmarks.report.Report;
import io.cordwood.benchmarks.run.ProcessUsage;
import io.cordwood.benchmarks.run.Scratch;
import io.cordwood.benchmarks.table.FileRangeReader;
import io.cordwood.benchmarks.table.TenantLogBlocks;
import io.cordwood.benchmarks.table.TenantTable;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.scan.ReadOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The engine alone: decode, build, and the query set on LogBlocks in local files. */
@Command(
        name = "logblock",
        description = "The engine without Kafka, Flink and Trino: decode, build LogBlocks, query them.",
        mixinStandardHelpOptions = true)
public final class LogBlockBench implements Callable<Integer> {
    private static final Map<String, ReadOptions> ABLATIONS = new LinkedHashMap<>();

    static {
        ABLATIONS.put("use_index=false", new ReadOptions(false, true, true));
        ABLATIONS.put("use_time_index=false", new ReadOptions(true, false, true));
        ABLATIONS.put("use_statistics=false", new ReadOptions(true, true, false));
    }

    private static final int RUNS = 15;
    private static final int COLD_RUNS = 3;
    private static final int WARM_UP_ROUNDS = 30;
    private static final int QUICK_WARM_UP_ROUNDS = 10;
    /** The noise of a measurement without Trino. */
    private static final double LEAST_MILLIS = 0.05;

    private static final int TIME_ROWS = 20_000_000;
    private static final int QUICK_TIME_ROWS = 100_000;
    private static final int NEEDLE_LOGBLOCKS = 10_000;
    private static final int QUICK_NEEDLE_LOGBLOCKS = 100;

    /** The measured parts, in their order. */
    enum Part {
        /** The query set, compared with peers on the same rows. */
        QUERIES,
        /** The query set on a store with latency. */
        COLD,
        /** Sizes of pages and row groups, and levels of compression. */
        LAYOUTS,
        /** Head, tail and histogram of one large tenant, compared with Lucene. */
        TIME,
        /** One row in very many LogBlocks. */
        NEEDLE
    }

    @Mixin
    DataSetOptions data;

    @Mixin
    RepeatOption repeat;

    @Option(
            names = "--parts",
            split = ",",
            paramLabel = "PART",
            description = "Which of ${COMPLETION-CANDIDATES}. Default: all but LAYOUTS.")
    Set<Part> parts = EnumSet.complementOf(EnumSet.of(Part.LAYOUTS));

    @Option(
            names = "--time-rows",
            paramLabel = "N",
            description = "Rows of the one tenant of the part TIME. Default: 20000000, with --quick 100000.")
    Optional<Integer> timeRows = Optional.empty();

    @Option(
            names = "--needle-logblocks",
            paramLabel = "N",
            description = "LogBlocks of the part NEEDLE. Default: 10000, with --quick 100.")
    Optional<Integer> needleLogBlocks = Optional.empty();

    @Spec
    private CommandSpec spec;

    private final Report report = new Report("logblock", System.out);
    private final Phases phases = new Phases(report);

    @Override
    public Integer call() throws Exception {
        data.check();
        int time = positive("--time-rows", timeRows.orElse(data.isQuick() ? QUICK_TIME_ROWS : TIME_ROWS));
        int needle = positive(
                "--needle-logblocks",
                needleLogBlocks.orElse(data.isQuick() ? QUICK_NEEDLE_LOGBLOCKS : NEEDLE_LOGBLOCKS));
        try (Scratch scratch = Scratch.create()) {
            if (parts.contains(Part.QUERIES) || parts.contains(Part.COLD)) {
                querySet(scratch);
            }
            if (parts.contains(Part.LAYOUTS)) {
                phases.begin("layouts");
                new Layouts(report.under("layouts"))
                        .measure(
                                data.file(scratch),
                                data.queries(scratch),
                                scratch.directory().resolve("layouts"),
                                LEAST_MILLIS,
                                data.isQuick() ? QUICK_WARM_UP_ROUNDS : WARM_UP_ROUNDS,
                                repeat.runs(RUNS));
            }
            if (parts.contains(Part.TIME)) {
                phases.begin("head, tail and histogram");
                new TimeOrder(report, scratch.directory().resolve("time"), time, repeat.runs(RUNS)).measure();
            }
            if (parts.contains(Part.NEEDLE)) {
                phases.begin("needle");
                NeedleSearch.measure(report, scratch.directory().resolve("needle"), needle);
            }
        }
        phases.end();
        report.printTable();
        return 0;
    }

    private int positive(String option, int value) {
        if (value < 1) {
            throw new ParameterException(spec.commandLine(), "%s: %d is not a number".formatted(option, value));
        }
        return value;
    }

    private void querySet(Scratch scratch) throws Exception {
        phases.begin("prepare rows and answers");
        Path ndjson = data.file(scratch);
        List<BenchQuery> queries = data.queries(scratch);
        Map<String, TenantTable> tables = build(ndjson, scratch.directory().resolve("logblocks"));
        if (parts.contains(Part.QUERIES)) {
            compare(queries, tables, ndjson, scratch);
            phases.begin("queries: ablations");
            for (Map.Entry<String, ReadOptions> ablation : ABLATIONS.entrySet()) {
                ablate(queries, tables, ablation.getKey(), ablation.getValue());
            }
        }
        if (parts.contains(Part.COLD)) {
            phases.begin("queries: cold");
            int right = ColdReads.measure(report, queries, tables, data.isQuick() ? 1 : COLD_RUNS);
            answers("cold", right, queries.size());
        }
    }

    private Map<String, TenantTable> build(Path ndjson, Path directory) throws Exception {
        TenantLogBlocks tenants = new TenantLogBlocks();
        tenants.load(ndjson);
        phases.begin("decode and build");
        if (data.isQuick()) {
            // Warms up the JIT; a full run has enough rows to ignore the warm-up.
            tenants.decode();
            tenants.write(directory);
        }
        double start = ProcessUsage.ofThisProcess().cpuSeconds();
        int rows = tenants.decode();
        double decoded = ProcessUsage.ofThisProcess().cpuSeconds();
        TenantLogBlocks.Written written = tenants.write(directory);
        double built = ProcessUsage.ofThisProcess().cpuSeconds();
        report.add("decode", "rows_per_cpu_second", rows / (decoded - start), "rows/s");
        report.add("build", "rows_per_cpu_second", rows / (built - decoded), "rows/s");
        report.add("decode+build", "rows_per_cpu_second", rows / (built - start), "rows/s");
        report.add("build", "stored_per_raw", (double) written.bytes() / tenants.rawBytes(), "ratio");
        report.add("build", "index_per_raw", (double) written.indexBytes() / tenants.rawBytes(), "ratio");
        report.add("build", "filters_per_raw", (double) written.filterBytes() / tenants.rawBytes(), "ratio");
        return written.tables();
    }

    private void compare(List<BenchQuery> queries, Map<String, TenantTable> tables, Path ndjson, Scratch scratch)
            throws IOException, SQLException {
        List<Peer> peers = new ArrayList<>();
        phases.begin("build Lucene's index");
        LucenePeer lucene = LucenePeer.in(scratch.directory().resolve("lucene"), false);
        RequestRow.forEach(ndjson, lucene::add);
        peers.add(lucene.finish());
        if (!data.isQuick()) {
            phases.begin("load ClickHouse");
            ClickHousePeer.start(scratch, ndjson).ifPresent(peers::add);
        }
        peers.add(EnginePeer.decoding("cordwood_decoding", tables));
        try (EnginePeer ours = new EnginePeer(tables, FileRangeReader::new, ReadOptions.DEFAULTS)) {
            phases.begin("queries: warm up");
            WarmUp.run(ours, peers, queries, data.isQuick() ? QUICK_WARM_UP_ROUNDS : WARM_UP_ROUNDS);
            phases.begin("queries: measure");
            new Comparison(report, ours, peers, LEAST_MILLIS, repeat.runs(RUNS))
                    .measure(queries, query -> "t" + query.tenant())
                    .reportAnswers(report);
            for (BenchQuery query : queries) {
                ours.ask(query);
                ReadMetrics cost = ours.lastMetrics();
                report.add(query.name() + "/warm", "bytes_read", (double) cost.bytesRead.sum(), "bytes");
                report.add(query.name() + "/warm", "requests", (double) cost.requests.sum(), "requests");
            }
        } finally {
            for (Peer peer : peers) {
                peer.close();
            }
        }
    }

    private void ablate(List<BenchQuery> queries, Map<String, TenantTable> tables, String name, ReadOptions options)
            throws IOException {
        int right = 0;
        try (EnginePeer ours = new EnginePeer(tables, FileRangeReader::new, options)) {
            for (BenchQuery query : queries) {
                Peer.Answer answer = ours.ask(query).answer();
                right += query.isRight(answer.rows()) ? 1 : 0;
                if (!query.isRight(answer.rows())) {
                    System.err.printf(
                            "bench: %s with %s: %d, expected %d%n",
                            query.name(), name, answer.rows(), query.expected());
                }
            }
        }
        answers(name, right, queries.size());
    }

    private void answers(String name, int right, int total) {
        report.add(name, "answers_right", right, "queries");
        report.add(name, "answers_total", total, "queries");
    }
}
