package io.cordwood.benchmarks.pattern;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.benchmarks.report.Percentiles;
import io.cordwood.benchmarks.report.Report;
import io.cordwood.query.pattern.LogPatterns;
import io.cordwood.query.pattern.SignatureCounts;
import io.cordwood.query.pattern.TemplateCounts;
import io.cordwood.query.pattern.Templates;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Log patterns: how well they group lines with known templates, and lines for each second of one core. */
@Command(
        name = "patterns",
        description = "Log patterns: grouping accuracy on lines with known templates, and lines per CPU second.",
        mixinStandardHelpOptions = true)
public final class PatternsBench implements Callable<Integer> {
    private static final int LINES = 1_000_000;
    private static final int QUICK_LINES = 50_000;
    private static final int GROUPED_LINES = 20_000;
    private static final int WARM_UPS = 3;
    private static final int RUNS = 5;
    private static final int LIMIT = 50;
    private static final double NANOS = 1e9;

    @Option(names = "--quick", description = "Fewer lines.")
    private boolean quick;

    @Option(
            names = "--structured",
            paramLabel = "DIR",
            description = "A directory of labelled lines: files *_structured.csv with the columns Content and EventId,"
                    + " as in Loghub. Default: generated lines.")
    private Optional<Path> structured = Optional.empty();

    @Option(
            names = "--text",
            paramLabel = "FILE",
            description = "Lines to measure the speed with; of a line with tabs, the part after the last tab."
                    + " Default: 1,000,000 generated lines.")
    private Optional<Path> text = Optional.empty();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        List<Path> sets = structured.isPresent() ? files(structured.get()) : List.of();
        if (structured.isPresent() && sets.isEmpty()) {
            throw wrong("--structured: no file *_structured.csv is in " + structured.get());
        }
        if (text.isPresent() && !Files.isReadable(text.get())) {
            throw wrong("--text: cannot read " + text.get());
        }
        Report report = new Report("patterns", System.out);
        if (structured.isPresent()) {
            List<Double> accuracies = new ArrayList<>();
            for (Path csv : sets) {
                String name = csv.getFileName().toString().replaceAll("(_2k)?\\.log_structured\\.csv$", "");
                accuracies.add(group(report.under("grouping"), name, LabelledLines.read(csv)));
            }
            report.add(
                    "grouping",
                    "mean_accuracy",
                    accuracies.stream().mapToDouble(each -> each).average().orElse(0),
                    "share");
        } else {
            group(report.under("grouping"), "generated", LabelledLines.generated(GROUPED_LINES));
        }
        measure(report.under("speed"), lines());
        report.printTable();
        return 0;
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private static List<Path> files(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith("_structured.csv"))
                    .sorted()
                    .toList();
        }
    }

    private static double group(Report report, String name, LabelledLines lines) {
        List<String> patterns = Grouping.patterns(lines.lines());
        double accuracy = Grouping.accuracy(patterns, lines.templates());
        report.add(name, "accuracy", accuracy, "share");
        report.add(name, "purity", Grouping.purity(patterns, lines.templates()), "share");
        report.add(name, "patterns", Set.copyOf(patterns).size(), "count");
        report.add(name, "templates", Set.copyOf(lines.templates()).size(), "count");
        return accuracy;
    }

    private List<byte[]> lines() throws IOException {
        List<String> lines = text.isPresent()
                ? Files.readAllLines(text.get()).stream()
                        .map(line -> line.substring(line.lastIndexOf('\t') + 1))
                        .toList()
                : LabelledLines.generated(quick ? QUICK_LINES : LINES).lines();
        return lines.stream().map(line -> line.getBytes(UTF_8)).toList();
    }

    private static void measure(Report report, List<byte[]> lines) {
        List<Double> seconds = new ArrayList<>();
        LogPatterns patterns = find(lines);
        for (int run = 1; run < WARM_UPS + RUNS; run++) {
            long begun = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            patterns = find(lines);
            if (run >= WARM_UPS) {
                seconds.add((ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begun) / NANOS);
            }
        }
        double median = Percentiles.of(seconds).median();
        report.add("lines", "lines", lines.size(), "count");
        report.add(
                "lines",
                "bytes_per_line",
                lines.stream().mapToLong(line -> line.length).average().orElse(0),
                "bytes");
        report.add(
                "lines",
                "patterns",
                patterns.patterns().size() + patterns.others().patterns(),
                "count");
        report.add("lines", "cpu_seconds", median, "s");
        report.add("lines", "lines_per_cpu_second", lines.size() / median, "lines/s");
    }

    /** As a scan does it, in one thread. */
    private static LogPatterns find(List<byte[]> lines) {
        SignatureCounts counts = new SignatureCounts();
        for (int i = 0; i < lines.size(); i++) {
            counts.add(lines.get(i), 0, lines.get(i).length, i, false);
        }
        Templates templates = counts.mine(() -> {});
        if (counts.isComplete()) {
            return counts.count(templates, () -> {}).patterns(LIMIT);
        }
        TemplateCounts again = new TemplateCounts(templates);
        for (int i = 0; i < lines.size(); i++) {
            again.add(lines.get(i), 0, lines.get(i).length, i, false);
        }
        return again.patterns(LIMIT);
    }
}
