package io.cordwood.trino;

import io.trino.Session;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the connector counted while a query ran, as {@code EXPLAIN ANALYZE VERBOSE} shows it. */
final class ScanMetrics {
    private static final Pattern METRIC = Pattern.compile("'([A-Za-z -]+)' = LongCount\\{total=(\\d+)}");

    private ScanMetrics() {}

    /** Counts by name, added up over the scans of the query. */
    static Map<String, Long> of(CordwoodQueryRunner runner, String sql) {
        return of(runner, runner.trino().getDefaultSession(), sql);
    }

    static Map<String, Long> of(CordwoodQueryRunner runner, Session session, String sql) {
        String plan = (String) runner.rows(session, "EXPLAIN ANALYZE VERBOSE " + sql)
                .getFirst()
                .getFirst();
        Map<String, Long> metrics = new HashMap<>();
        Matcher matcher = METRIC.matcher(plan);
        while (matcher.find()) {
            metrics.merge(matcher.group(1), Long.parseLong(matcher.group(2)), Long::sum);
        }
        return metrics;
    }
}
