package io.cordwood.benchmarks.identity;

import io.cordwood.benchmarks.data.DataSetOptions;
import io.cordwood.benchmarks.report.Phases;
import io.cordwood.benchmarks.report.Report;
import io.cordwood.benchmarks.run.Scratch;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * What identity costs: a closed stack beside an open one, which run at the same time and are measured in turns. First
 * both ingest the same rows several times, then both answer the same queries.
 */
@Command(
        name = "identity",
        description = "A stack with --auth beside one without: ingest and small queries, measured in turns.",
        mixinStandardHelpOptions = true)
public final class IdentityBench implements Callable<Integer> {
    private static final int PASSES = 6;
    private static final int QUICK_PASSES = 2;
    private static final int WARM_UP_PASSES = 2;
    private static final int QUERIES = 200;
    private static final int QUICK_QUERIES = 30;
    /** Rows of the tenant that has no others: they stay hot. */
    private static final int HOT_ROWS = 5_000;

    private static final Map<String, ToDoubleFunction<MeasuredPass>> METRICS = Map.of(
            "rows_per_second", MeasuredPass::rowsPerSecond,
            "rows_per_cpu_second_job", MeasuredPass::rowsPerCpuSecondOfJob,
            "rows_per_cpu_second_kafka", MeasuredPass::rowsPerCpuSecondOfKafka);

    private static final String TENANT_MEMBER = "\"tenant_id\":\\d+";

    @Spec
    private CommandSpec spec;

    @Mixin
    DataSetOptions data;

    @Option(
            names = "--passes",
            paramLabel = "N",
            description =
                    "Rounds, in each of which both stacks ingest the rows twice, after two to warm up; an even number, as"
                            + " each stack goes first in half of them. Default: 6, with --quick 2.")
    void passes(int times) {
        if (times < 2 || times % 2 == 1) {
            throw new ParameterException(spec.commandLine(), "--passes: %d is not 2, 4, 6, ...".formatted(times));
        }
        passes = times;
    }

    private int passes;

    private final Report report = new Report("identity", System.out);
    private final Phases phases = new Phases(report);

    @Override
    public Integer call() throws Exception {
        data.check();
        phases.begin("start both stacks");
        try (Scratch scratchOfOpen = Scratch.create();
                Scratch scratchOfClosed = Scratch.create()) {
            Path ndjson = data.file(scratchOfOpen);
            Path hot = hotRows(ndjson, scratchOfOpen.directory().resolve("hot.ndjson"));
            MeasuredStack open = MeasuredStack.open(scratchOfOpen);
            MeasuredStack closed = MeasuredStack.closed(scratchOfClosed);
            ingest(open, closed, ndjson);
            query(open, closed, hot);
            phases.begin("stop both stacks");
        }
        phases.end();
        report.printTable();
        return 0;
    }

    private static Path hotRows(Path ndjson, Path file) throws IOException {
        try (Stream<String> lines = Files.lines(ndjson);
                BufferedWriter out = Files.newBufferedWriter(file)) {
            for (String line : lines.limit(HOT_ROWS).toList()) {
                out.write(line.replaceFirst(TENANT_MEMBER, "\"tenant_id\":" + MeasuredStack.HOT_TENANT));
                out.newLine();
            }
        }
        return file;
    }

    private void ingest(MeasuredStack open, MeasuredStack closed, Path ndjson) throws Exception {
        phases.begin("ingest");
        int measured = passes > 0 ? passes : data.isQuick() ? QUICK_PASSES : PASSES;
        Map<MeasuredStack, List<MeasuredPass>> batches = Map.of(open, new ArrayList<>(), closed, new ArrayList<>());
        Map<MeasuredStack, List<MeasuredPass>> records = Map.of(open, new ArrayList<>(), closed, new ArrayList<>());
        for (int pass = 0; pass < WARM_UP_PASSES + measured; pass++) {
            // Which stack goes first changes, as the first one leaves the other its writes to the disk.
            List<MeasuredStack> order = pass % 2 == 0 ? List.of(open, closed) : List.of(closed, open);
            for (MeasuredStack stack : order) {
                batches.get(stack).add(stack.ingestAsGateway(ndjson));
            }
            for (MeasuredStack stack : order) {
                records.get(stack).add(stack.ingestRecords(ndjson));
            }
            System.err.printf(
                    "pass %d: batches open %s, closed %s; records open %s, closed %s%n",
                    pass,
                    batches.get(open).getLast(),
                    batches.get(closed).getLast(),
                    records.get(open).getLast(),
                    records.get(closed).getLast());
        }
        compare("batches", measured(batches.get(closed)), measured(batches.get(open)));
        compare("records", measured(records.get(closed)), measured(records.get(open)));
    }

    private static List<MeasuredPass> measured(List<MeasuredPass> passes) {
        return passes.subList(WARM_UP_PASSES, passes.size());
    }

    private void compare(String name, List<MeasuredPass> closed, List<MeasuredPass> open) {
        METRICS.forEach((metric, figure) -> {
            report.add("ingest/%s/open".formatted(name), metric, total(open, figure), "rows/s");
            report.add("ingest/%s/closed".formatted(name), metric, total(closed, figure), "rows/s");
            report.add(
                    "ingest/%s/closed_over_open".formatted(name),
                    metric,
                    total(closed, figure) / total(open, figure),
                    "ratio");
        });
    }

    /** Of all rows and seconds of the passes, which are of the same rows: the harmonic mean. */
    private static double total(List<MeasuredPass> passes, ToDoubleFunction<MeasuredPass> figure) {
        return passes.size()
                / passes.stream()
                        .mapToDouble(pass -> 1 / figure.applyAsDouble(pass))
                        .sum();
    }

    private void query(MeasuredStack open, MeasuredStack closed, Path hot) throws Exception {
        phases.begin("queries");
        open.shipAsGateway(hot);
        closed.shipAsGateway(hot);
        int runs = data.isQuick() ? QUICK_QUERIES : QUERIES;
        try (SmallQueries ofOpen = new SmallQueries(open, HOT_ROWS);
                SmallQueries ofClosed = new SmallQueries(closed, HOT_ROWS)) {
            for (int run = 0; run < runs; run++) {
                ofOpen.ask();
                ofClosed.ask();
            }
            // As many again, on a warm Trino.
            ofOpen.forget();
            ofClosed.forget();
            for (int run = 0; run < runs; run++) {
                ofOpen.ask();
                ofClosed.ask();
            }
            for (String query : ofOpen.names()) {
                double millisOfOpen = ofOpen.medianMillis(query);
                double millisOfClosed = ofClosed.medianMillis(query);
                report.add("query/%s/open".formatted(query), "median_ms", millisOfOpen, "ms");
                report.add("query/%s/closed".formatted(query), "median_ms", millisOfClosed, "ms");
                report.add("query/%s/added".formatted(query), "median_ms", millisOfClosed - millisOfOpen, "ms");
            }
        }
    }
}
