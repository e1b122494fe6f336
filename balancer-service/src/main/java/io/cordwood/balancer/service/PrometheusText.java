package io.cordwood.balancer.service;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Metrics in Prometheus's text format, each with its help and type once. Not thread-safe. */
final class PrometheusText {
    private final Map<String, StringBuilder> metrics = new LinkedHashMap<>();

    /**
     * Adds a sample.
     *
     * @param name name of the metric; a counter's ends in {@code _total}
     * @param labels with their braces; empty for none
     */
    void add(String name, String help, String labels, double value) {
        metrics.computeIfAbsent(
                        name,
                        unknown -> new StringBuilder("# HELP %s %s%n# TYPE %s %s%n"
                                .formatted(name, help, name, name.endsWith("_total") ? "counter" : "gauge")))
                .append("%s%s %s%n".formatted(name, labels, value));
    }

    /** Labels with their braces, in order of their names; values may hold any character. */
    static String labels(Map<String, String> labels) {
        return new TreeMap<>(labels)
                .entrySet().stream()
                        .map(label -> label.getKey() + "=\"" + escaped(label.getValue()) + "\"")
                        .collect(Collectors.joining(",", "{", "}"));
    }

    private static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }

    @Override
    public String toString() {
        return String.join("", metrics.values());
    }
}
