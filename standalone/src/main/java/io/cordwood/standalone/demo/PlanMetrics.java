package io.cordwood.standalone.demo;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The connector's metrics in the output of Trino's {@code EXPLAIN ANALYZE VERBOSE}, summed over the plan's scans. */
public final class PlanMetrics {
    private static final Pattern METRIC = Pattern.compile("'([^']+)' = LongCount\\{total=([0-9]+)\\}");

    private PlanMetrics() {}

    /** The connector's counters that are not 0, in the order in which they occur. */
    static String summary(List<String> planLines, Pattern included) {
        Map<String, Long> totals = new LinkedHashMap<>();
        for (String line : planLines) {
            Matcher metric = METRIC.matcher(line);
            while (metric.find()) {
                if (included.matcher(metric.group(1)).find()) {
                    totals.merge(metric.group(1), Long.valueOf(metric.group(2)), Long::sum);
                }
            }
        }
        return totals.entrySet().stream()
                .filter(entry -> entry.getValue() != 0)
                .map(entry -> entry.getKey() + " " + "%,d".formatted(entry.getValue()))
                .collect(Collectors.joining(", "));
    }
}
