package io.cordwood.benchmarks.startup;

import io.cordwood.benchmarks.report.Percentiles;
import io.cordwood.benchmarks.report.Report;
import io.cordwood.benchmarks.run.ProcessUsage;
import io.cordwood.benchmarks.run.Scratch;
import io.cordwood.benchmarks.stack.RunningStack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * How long a new stack takes to start, to answer its first query, and to run the demo, and what it then occupies: the
 * first one of a build, and one that shares the classes of an earlier one.
 */
@Command(
        name = "startup",
        description = "Time from `up` to the first answer, CPU time of each service until then, memory when idle,"
                + " and the time of `down` and `demo`. Medians of several new stacks: the first of a build (first_up),"
                + " and one that shares the classes of an earlier one (up).",
        mixinStandardHelpOptions = true)
public final class StartupBench implements Callable<Integer> {
    private static final int RUNS = 5;
    private static final long IDLE_SECONDS = 20;
    private static final long QUICK_IDLE_SECONDS = 5;
    private static final String QUERY = "SELECT count(*) FROM cordwood.system.usage";

    @Option(names = "--quick", description = "one stack, and no demo")
    private boolean quick;

    @Option(names = "--runs", description = "stacks of each kind (default: ${DEFAULT-VALUE})")
    private int runs = RUNS;

    private final Map<Figure, List<Double>> figures = new LinkedHashMap<>();

    private record Figure(String name, String metric, String unit) {}

    @Override
    public Integer call() throws Exception {
        if (quick) {
            measureStack(archives().isEmpty() ? "first_up" : "up", "");
        } else {
            for (int run = 0; run < runs; run++) {
                measureAll();
            }
        }
        Report report = new Report("startup", System.out);
        figures.forEach((figure, values) -> report.add(
                figure.name(), figure.metric(), Percentiles.of(values).median(), figure.unit()));
        report.printTable();
        return 0;
    }

    private void measureAll() throws Exception {
        for (Path archive : archives()) {
            Files.deleteIfExists(archive);
        }
        measureDemo("first_demo");
        measureStack("first_up", "first_");
        measureStack("up", "");
        measureDemo("demo");
    }

    /** The classes that earlier stacks wrote. */
    private static List<Path> archives() throws IOException {
        Path directory = RunningStack.root().resolve("target").resolve("class-archives");
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".jsa")).toList();
        }
    }

    /** @param prefix of the names of services */
    private void measureStack(String name, String prefix) throws Exception {
        try (Scratch scratch = Scratch.create()) {
            long begun = System.nanoTime();
            RunningStack stack = RunningStack.start(scratch, "logs", 30);
            stack.awaitReady();
            add(name, "ready_seconds", secondsSince(begun), "s");
            List<String> services = stack.services();
            double total = 0;
            for (String service : services) {
                double cpu = ProcessUsage.of(stack.pid(service)).cpuSeconds();
                add(prefix + service, "cpu_seconds", cpu, "s");
                total += cpu;
            }
            add(name, "cpu_seconds", total, "s");
            for (String metric : List.of("first_query_ms", "second_query_ms")) {
                long asked = System.nanoTime();
                RunningStack.run("sql", "--home", stack.home().toString(), QUERY);
                add(name, metric, secondsSince(asked) * 1e3, "ms");
            }
            TimeUnit.SECONDS.sleep(quick ? QUICK_IDLE_SECONDS : IDLE_SECONDS);
            double memory = 0;
            for (String service : services) {
                double resident = ProcessUsage.of(stack.pid(service)).rssBytes();
                add(prefix + service, "rss_bytes", resident, "bytes");
                memory += resident;
            }
            add(name, "rss_bytes", memory, "bytes");
            if (!quick) {
                long stopped = System.nanoTime();
                RunningStack.run("down", "--home", stack.home().toString());
                add(name, "down_seconds", secondsSince(stopped), "s");
            }
        }
    }

    private void measureDemo(String name) throws Exception {
        long begun = System.nanoTime();
        RunningStack.run("demo");
        add(name, "seconds", secondsSince(begun), "s");
    }

    private void add(String name, String metric, double value, String unit) {
        System.err.printf("%s %s: %.2f %s%n", name, metric, value, unit);
        figures.computeIfAbsent(new Figure(name, metric, unit), figure -> new ArrayList<>())
                .add(value);
    }

    private static double secondsSince(long begun) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun) / 1e3;
    }
}
