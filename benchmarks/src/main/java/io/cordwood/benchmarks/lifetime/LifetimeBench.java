package io.cordwood.benchmarks.lifetime;

import io.cordwood.benchmarks.data.BenchQuery;
import io.cordwood.benchmarks.data.DataSetOptions;
import io.cordwood.benchmarks.peer.ClickHousePeer;
import io.cordwood.benchmarks.peer.EnginePeer;
import io.cordwood.benchmarks.peer.Peer;
import io.cordwood.benchmarks.peer.QueryTimes;
import io.cordwood.benchmarks.peer.RepeatOption;
import io.cordwood.benchmarks.report.Phases;
import io.cordwood.benchmarks.report.Report;
import io.cordwood.benchmarks.run.Scratch;
import java.io.IOException;
import java.sql.SQLException;
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

/** The CPU time of rows over their life, from Kafka's acknowledgement until their day is merged, on a real stack. */
@Command(
        name = "lifetime",
        description =
                "The CPU time of the ingest job, the catalog service and all merges for each row, until its day is"
                        + " merged; beside ClickHouse, merged.",
        mixinStandardHelpOptions = true)
public final class LifetimeBench implements Callable<Integer> {
    private static final int LARGE_TENANTS = 4;
    private static final int LARGE_ROWS = 50_000;
    private static final int LARGE_AGE_SECONDS = 15;
    private static final int SMALL_TENANTS = 1000;
    private static final int SMALL_ROWS = 4;
    /** An hour of the case SMALL takes so long. */
    private static final int SMALL_HOUR_SECONDS = 10;
    /** As long as the ingest job lets very few rows wait. */
    private static final int SMALL_AGE_HOURS = 6;

    private static final int HOURLY = 24;
    private static final int SET_DAYS = 2;
    private static final int SET_FLUSHES = 12;
    private static final int SET_AGE_SECONDS = 20;
    private static final int QUICK_DIVISOR = 20;
    private static final int QUICK_FLUSHES = 3;
    private static final int QUICK_AGE_SECONDS = 3;

    private static final int RUNS = 9;
    private static final int QUICK_RUNS = 3;
    private static final int WARM_UPS = 5;
    private static final double LEAST_MILLIS = 0.05;

    /** The measured cases, in their order. */
    enum Case {
        /** Tenants with flushes of 50,000 rows, 24 a day. */
        LARGE,
        /** The set of 1,000 tenants, six flushes a day and tenant. */
        REQUEST_LOG,
        /** Tenants with four rows an hour, for a day. */
        SMALL
    }

    @Mixin
    DataSetOptions data;

    @Mixin
    RepeatOption repeat;

    @Option(
            names = "--cases",
            split = ",",
            paramLabel = "CASE",
            description = "Which of ${COMPLETION-CANDIDATES}. Default: all.")
    Set<Case> cases = EnumSet.allOf(Case.class);

    @Option(
            names = "--large-tenants",
            paramLabel = "N",
            description = "Tenants of the case LARGE, each of 1,200,000 rows. Default: ${DEFAULT-VALUE}.")
    int largeTenants = LARGE_TENANTS;

    @Option(
            names = "--small-tenants",
            paramLabel = "N",
            description = "Tenants of the case SMALL, each of 96 rows. Default: ${DEFAULT-VALUE}.")
    int smallTenants = SMALL_TENANTS;

    @Option(
            names = "--small-age-hours",
            paramLabel = "N",
            description = "Hours that rows of the case SMALL wait for a flush. Default: ${DEFAULT-VALUE}.")
    int smallAgeHours = SMALL_AGE_HOURS;

    @Option(names = "--profile", description = "Also report the CPU time by stage, which costs a few percent.")
    boolean isProfiled;

    @Option(
            names = "--copy-text",
            arity = "1",
            paramLabel = "true|false",
            defaultValue = "true",
            description = "Whether merges copy text where they can. Default: ${DEFAULT-VALUE}.")
    boolean copiesText;

    @Spec
    private CommandSpec spec;

    private final Report report = new Report("lifetime", System.out);
    private final Phases phases = new Phases(report);

    @Override
    public Integer call() throws Exception {
        data.check();
        require("--large-tenants", largeTenants);
        require("--small-tenants", smallTenants);
        require("--small-age-hours", smallAgeHours);
        for (Case each : cases) {
            try (Scratch scratch = Scratch.create()) {
                run(each, scratch);
                phases.begin("stop the stack");
            }
        }
        phases.end();
        report.printTable();
        return 0;
    }

    private void require(String option, int number) {
        if (number < 1) {
            throw new ParameterException(
                    spec.commandLine(), "%s is %d; it must be at least 1".formatted(option, number));
        }
    }

    private void run(Case each, Scratch scratch) throws Exception {
        phases.begin("prepare rows");
        LifeCase lives = lives(each, scratch);
        RowLife.Lived lived = new RowLife(report, phases, isProfiled, copiesText).live(lives, scratch);
        lived.cost().report(report, lives);
        if (each == Case.REQUEST_LOG) {
            phases.begin("queries before and after the merges");
            ask(data.queries(scratch), lived);
        }
        if (each != Case.SMALL && !data.isQuick()) {
            phases.begin("load ClickHouse");
            clickHouse(lives, lived.cost(), scratch);
        }
    }

    private LifeCase lives(Case each, Scratch scratch) throws IOException {
        int divisor = data.isQuick() ? QUICK_DIVISOR : 1;
        int hourly = data.isQuick() ? QUICK_FLUSHES : HOURLY;
        return switch (each) {
            case LARGE ->
                LifeCase.ofEqualTenants(
                        "large",
                        scratch.directory(),
                        largeTenants,
                        LARGE_ROWS / divisor,
                        hourly,
                        age(LARGE_AGE_SECONDS),
                        0);
            case REQUEST_LOG ->
                new LifeCase(
                        "request_log",
                        data.file(scratch),
                        data.isQuick() ? 1 : SET_DAYS,
                        data.isQuick() ? QUICK_FLUSHES : SET_FLUSHES,
                        age(SET_AGE_SECONDS),
                        0);
            case SMALL ->
                LifeCase.ofEqualTenants(
                        "small",
                        scratch.directory(),
                        Math.max(1, smallTenants / divisor),
                        SMALL_ROWS,
                        hourly,
                        smallAgeHours * age(SMALL_HOUR_SECONDS),
                        age(SMALL_HOUR_SECONDS));
        };
    }

    private int age(int seconds) {
        return data.isQuick() ? QUICK_AGE_SECONDS : seconds;
    }

    /** The query set on the LogBlocks before and after the merges, in turns; the replaced ones still exist. */
    private void ask(List<BenchQuery> queries, RowLife.Lived lived) throws IOException, SQLException {
        Map<String, Peer> peers = new LinkedHashMap<>();
        try {
            // Decoding is part of the cost of a layout
            peers.put(
                    "unmerged", EnginePeer.decoding("unmerged", lived.unmerged().tables()));
            peers.put("merged", EnginePeer.decoding("merged", lived.merged().tables()));
            QueryTimes times = new QueryTimes(report, queries, peers);
            times.measure(WARM_UPS, repeat.runs(data.isQuick() ? QUICK_RUNS : RUNS));
            times.ratio("request_log", "time_ratio_geomean", "unmerged", "merged", LEAST_MILLIS);
            report.add("request_log", "answers_right", queries.size(), "queries");
            report.add("request_log", "answers_total", queries.size(), "queries");
        } finally {
            for (Peer peer : peers.values()) {
                peer.close();
            }
        }
    }

    private void clickHouse(LifeCase lives, LifeCost ours, Scratch scratch) throws IOException {
        Optional<ClickHousePeer> started = ClickHousePeer.start(scratch, lives.ndjson());
        if (started.isPresent()) {
            try (ClickHousePeer peer = started.get()) {
                double theirs = ours.rows() / peer.loaded().cpuSeconds();
                report.add("clickhouse_text/" + lives.name(), "rows_per_cpu_second", theirs, "rows/s");
                report.add(
                        "vs_clickhouse_text/" + lives.name(),
                        "rows_per_cpu_second",
                        ours.rowsPerCpuSecond() / theirs,
                        "ours/theirs");
            }
        }
    }
}
