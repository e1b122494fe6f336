package io.cordwood.standalone.demo;

import io.cordwood.standalone.sql.Answer;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * A query of the demo with a check of its answer.
 *
 * @param title kind of query
 * @param sql the query
 * @param right accepts the answer that follows from the shipped rows
 * @param shown whether the rows are printed
 */
record DemoQuery(String title, String sql, Predicate<Answer> right, boolean shown) {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSSSSS 'UTC'");

    /** The typical queries, in the order in which they are shown. */
    static List<DemoQuery> all(Expectations expected) {
        String table = "cordwood.\"" + expected.tenant() + "\".logs";
        return List.of(
                new DemoQuery(
                        "all tenants: rows of each",
                        "SELECT tenant_id, count(*) AS log_rows FROM cordwood.all_tenants.logs GROUP BY 1 ORDER BY 2 DESC",
                        answer -> counts(answer).equals(expected.rowsByTenant()),
                        false),
                new DemoQuery(
                        "needle: one trace id",
                        "SELECT ts, level, service, message FROM %s WHERE trace_id = '%s'"
                                .formatted(table, expected.needle()),
                        answer -> answer.rows().size() == 1,
                        true),
                new DemoQuery(
                        "full text: a phrase",
                        "SELECT count(*) AS timeouts FROM %s WHERE match(message, 'connection \"timed out\"')"
                                .formatted(table),
                        answer -> answer.column(0).equals(List.of(Long.toString(expected.timeouts()))),
                        true),
                new DemoQuery(
                        "histogram: errors per half hour",
                        "SELECT date_bin(INTERVAL '30' MINUTE, ts) AS half_hour, count(*) AS errors FROM %s WHERE level = 'ERROR' GROUP BY 1 ORDER BY 1"
                                .formatted(table),
                        answer -> longs(answer.column(1)).equals(expected.errorsByBin()),
                        true),
                new DemoQuery(
                        "tail: the newest rows",
                        "SELECT ts, level, service, message FROM %s ORDER BY ts DESC LIMIT %d"
                                .formatted(table, Expectations.TAIL_ROWS),
                        answer -> answer.column(0).stream()
                                .map(DemoQuery::micros)
                                .toList()
                                .equals(expected.newest()),
                        true),
                new DemoQuery(
                        "top-n: most requested paths",
                        "SELECT \"http.path\", count(*) AS requests FROM %s WHERE \"http.path\" IS NOT NULL GROUP BY 1 ORDER BY 2 DESC LIMIT %d"
                                .formatted(table, Expectations.TOP_PATHS),
                        answer -> longs(answer.column(1)).equals(expected.topPathCounts()),
                        true));
    }

    private static Map<String, Long> counts(Answer answer) {
        Map<String, Long> counts = new TreeMap<>();
        answer.rows().forEach(row -> counts.put(row.get(0), Long.valueOf(row.get(1))));
        return counts;
    }

    private static List<Long> longs(List<String> cells) {
        return cells.stream().map(Long::valueOf).toList();
    }

    private static long micros(String cell) {
        return ChronoUnit.MICROS.between(
                Instant.EPOCH, LocalDateTime.parse(cell, TIME).toInstant(ZoneOffset.UTC));
    }
}
