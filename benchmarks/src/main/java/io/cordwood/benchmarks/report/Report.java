package io.cordwood.benchmarks.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Prints one JSON object for each figure immediately, and all of them as a table at the end. Not thread-safe. */
public final class Report {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String bench;
    private final PrintStream out;
    private final String under;
    private final List<Figure> figures;

    private record Figure(String name, String metric, double value, String unit) {}

    /** An empty report of that benchmark. */
    public Report(String bench, PrintStream out) {
        this(bench, out, "", new ArrayList<>());
    }

    private Report(String bench, PrintStream out, String under, List<Figure> figures) {
        this.bench = bench;
        this.out = out;
        this.under = under;
        this.figures = figures;
    }

    /** A view of this report that prefixes case names with the given name and a slash. */
    public Report under(String name) {
        return new Report(bench, out, under + name + "/", figures);
    }

    /**
     * Adds a figure.
     *
     * @param name the case that it belongs to
     */
    public void add(String name, String metric, double value, String unit) {
        figures.add(new Figure(under + name, metric, value, unit));
        ObjectNode line = JSON.createObjectNode();
        line.put("bench", bench)
                .put("case", under + name)
                .put("metric", metric)
                .put("value", value)
                .put("unit", unit);
        out.println(line);
    }

    /** Prints the closing table. */
    public void printTable() {
        int nameWidth = width(figures.stream().map(Figure::name).toList());
        int metricWidth = width(figures.stream().map(Figure::metric).toList());
        out.println();
        for (Figure figure : figures) {
            out.printf(
                    "%-" + nameWidth + "s  %-" + metricWidth + "s  %,16.4f %s%n",
                    figure.name(),
                    figure.metric(),
                    figure.value(),
                    figure.unit());
        }
    }

    private static int width(List<String> texts) {
        return Math.max(1, texts.stream().mapToInt(String::length).max().orElse(1));
    }
}
