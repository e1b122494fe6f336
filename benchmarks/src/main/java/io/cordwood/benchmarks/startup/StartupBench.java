package io.cordwood.benchmarks.startup;

import io.cordwood.benchmarks.report.Percentiles;
import io.cordwood.benchmarks.report.Report;
import io.cordwood.benchmarks.run.ProcessUsage;
import io.cordwood.benchmarks.run.Scratch;
import io.cordwood.benchmarks.stack.RunningStack;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** How long a new stack takes to start, to answer its first query, and to run the demo, and what it then occupies. */
@Command(
        name = "startup",
        description = "Time from `up` to the first answer, CPU time of each service until then, memory when idle,"
                + " and the time of `demo`. Medians of several new stacks.",
        mixinStandardHelpOptions = true)
public final class StartupBench implements Callable<Integer> {
    private static final int RUNS = 5;
    private static final long IDLE_SECONDS = 20;
    private static final String QUERY = "SELECT count(*) FROM cordwood.system.usage";

    @Option(names = "--quick", description = "one stack, and no demo")
    private boolean quick;

    @Option(names = "--runs", description = "stacks to start (default: ${DEFAULT-VALUE})")
    private int runs = RUNS;

    private final Map<Figure, List<Double>> figures = new LinkedHashMap<>();

    private record Figure(String name, String metric, String unit) {}

    @Override
    public Integer call() throws Exception {
        for (int run = 0; run < (quick ? 1 : runs); run++) {
            measureStack();
            if (!quick) {
                measureDemo();
            }
        }
        Report report = new Report("startup", System.out);
        figures.forEach((figure, values) -> report.add(
                figure.name(), figure.metric(), Percentiles.of(values).median(), figure.unit()));
        report.printTable();
        return 0;
    }

    private void measureStack() throws Exception {
        try (Scratch scratch = Scratch.create()) {
            long begun = System.nanoTime();
            RunningStack stack = RunningStack.start(scratch, "logs", 30);
            stack.awaitReady();
            add("up", "ready_seconds", secondsSince(begun), "s");
            List<String> services = stack.services();
            double total = 0;
            for (String service : services) {
                double cpu = ProcessUsage.of(stack.pid(service)).cpuSeconds();
                add(service, "cpu_seconds", cpu, "s");
                total += cpu;
            }
            add("up", "cpu_seconds", total, "s");
            for (String metric : List.of("first_query_ms", "second_query_ms")) {
                long asked = System.nanoTime();
                RunningStack.run("sql", "--home", stack.home().toString(), QUERY);
                add("up", metric, secondsSince(asked) * 1e3, "ms");
            }
            TimeUnit.SECONDS.sleep(IDLE_SECONDS);
            double memory = 0;
            for (String service : services) {
                double resident = ProcessUsage.of(stack.pid(service)).rssBytes();
                add(service, "rss_bytes", resident, "bytes");
                memory += resident;
            }
            add("up", "rss_bytes", memory, "bytes");
        }
    }

    private void measureDemo() throws Exception {
        try (Scratch scratch = Scratch.create()) {
            long begun = System.nanoTime();
            RunningStack.run(
                    "demo", "--home", scratch.directory().resolve("home").toString());
            add("demo", "seconds", secondsSince(begun), "s");
        }
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
