package io.cordwood.standalone.observability;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the dashboards and alerts of {@code docker/observability} ask. Immutable.
 *
 * @param prometheus expressions of panels, and what alerts compare
 * @param sql statements of panels, with the macros of Grafana's Trino data source
 */
public record MonitoringQueries(List<Query> prometheus, List<Query> sql) {
    private static final Pattern COMPARISON = Pattern.compile("(.*) (==|>|<) [0-9.]+");

    /**
     * A question.
     *
     * @param place the panel or the alert that asks
     */
    public record Query(String place, String text) {}

    /**
     * Reads them.
     *
     * @throws IllegalArgumentException if one has an unexpected form
     */
    public static MonitoringQueries read(Path root) throws IOException {
        Path directory = root.resolve("docker/observability");
        List<Query> prometheus = new ArrayList<>();
        List<Query> sql = new ArrayList<>();
        try (Stream<Path> dashboards = Files.list(directory.resolve("grafana/dashboards"))) {
            for (Path dashboard : dashboards.sorted().toList()) {
                panels(new ObjectMapper().readTree(dashboard.toFile()), (title, target) -> {
                    if (target.has("expr")) {
                        prometheus.add(new Query(title, target.path("expr").asText()));
                    } else {
                        sql.add(new Query(title, target.required("rawSQL").asText()));
                    }
                });
            }
        }
        for (JsonNode rule : AlertRules.all(root)) {
            prometheus.add(new Query(rule.required("alert").asText(), compared(rule)));
        }
        return new MonitoringQueries(List.copyOf(prometheus), List.copyOf(sql));
    }

    /** The questions of all other places. */
    public MonitoringQueries without(String place) {
        return new MonitoringQueries(
                prometheus.stream()
                        .filter(query -> !query.place().equals(place))
                        .toList(),
                sql);
    }

    private static void panels(JsonNode dashboard, BiConsumer<String, JsonNode> queries) {
        for (JsonNode panel : dashboard.required("panels")) {
            for (JsonNode target : panel.path("targets")) {
                queries.accept(panel.path("title").asText(), target);
            }
        }
    }

    /** An alert that does not fire has no result: what it compares with a number has one. */
    private static String compared(JsonNode rule) {
        Matcher expression = COMPARISON.matcher(rule.required("expr").asText());
        if (!expression.matches()) {
            throw new IllegalArgumentException("Not a value, a comparison and a number: " + rule);
        }
        return expression.group(1);
    }
}
