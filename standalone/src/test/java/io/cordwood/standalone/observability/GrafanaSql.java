package io.cordwood.standalone.observability;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;

/** Statements of Grafana's panels as its Trino data source sends them. Stateless. */
public final class GrafanaSql {
    private static final DateTimeFormatter SECONDS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);

    private GrafanaSql() {}

    /**
     * Puts values in place of the dashboard's variables, and SQL in place of the data source's macros.
     *
     * @param range how far back the dashboard looks
     */
    public static String expand(String statement, Map<String, String> variables, Duration range) {
        Instant now = Instant.now();
        String expanded = statement
                .replace("$__timeGroup(ts, '1m')", "FROM_UNIXTIME(FLOOR(TO_UNIXTIME(ts)/60)*60)")
                .replace(
                        "$__timeFilter(ts)",
                        "ts BETWEEN TIMESTAMP '%s' AND TIMESTAMP '%s'"
                                .formatted(SECONDS.format(now.minus(range)), SECONDS.format(now.plusSeconds(1))));
        for (Map.Entry<String, String> variable : variables.entrySet()) {
            expanded = expanded.replace("$" + variable.getKey(), variable.getValue());
        }
        if (expanded.contains("$")) {
            throw new IllegalArgumentException("A variable or macro without a value: " + expanded);
        }
        return expanded;
    }
}
