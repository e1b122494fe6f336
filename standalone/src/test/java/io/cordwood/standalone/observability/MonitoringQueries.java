package io.cordwood.standalone.observability;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the dashboards and alerts of {@code docker/observability} ask. Immutable.
 *
 * @param prometheus expressions of panels, without variables, and what alerts compare
 * @param sql statements of panels, with the macros of Grafana's Trino data source
 */
public record MonitoringQueries(List<Query> prometheus, List<Query> sql) {
    private static final Pattern VARIABLE = Pattern.compile("\\$(\\w+)");

    /** Grafana's own variables, of a dashboard that looks at an hour. */
    private static final Map<String, String> OF_GRAFANA =
            Map.of("__rate_interval", "5m", "__range", "1h", "__interval", "1s");

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
        List<Query> prometheus = new ArrayList<>();
        List<Query> sql = new ArrayList<>();
        for (JsonNode dashboard : Dashboards.all(root)) {
            for (JsonNode panel : Dashboards.panels(dashboard)) {
                String place = Dashboards.place(dashboard, panel);
                for (JsonNode target : panel.required("targets")) {
                    if (target.has("expr")) {
                        prometheus.add(new Query(
                                place, ofAll(dashboard, target.path("expr").asText())));
                    } else {
                        sql.add(new Query(place, target.required("rawSQL").asText()));
                    }
                }
            }
        }
        for (JsonNode rule : AlertRules.all(root)) {
            prometheus.add(new Query(rule.required("alert").asText(), AlertRules.compared(rule)));
        }
        return new MonitoringQueries(List.copyOf(prometheus), List.copyOf(sql));
    }

    /** The questions that do not name this metric. */
    public MonitoringQueries without(String metric) {
        return new MonitoringQueries(
                prometheus.stream()
                        .filter(query -> !query.text().contains(metric))
                        .toList(),
                sql);
    }

    /** An expression as Grafana sends it while all values of each variable are chosen. */
    private static String ofAll(JsonNode dashboard, String expression) {
        return VARIABLE.matcher(expression)
                .replaceAll(variable -> Matcher.quoteReplacement(value(dashboard, variable.group(1))));
    }

    private static String value(JsonNode dashboard, String variable) {
        if (OF_GRAFANA.containsKey(variable)) {
            return OF_GRAFANA.get(variable);
        }
        return Dashboards.variables(dashboard).stream()
                .filter(defined -> defined.required("name").asText().equals(variable))
                .map(defined -> defined.required("allValue").asText())
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("A variable without a value: $" + variable));
    }
}
