package io.cordwood.systemtests.hot;

import io.cordwood.benchmarks.report.Percentiles;
import io.cordwood.benchmarks.report.Report;
import io.cordwood.systemtests.lab.Await;
import io.cordwood.systemtests.lab.Lab;
import java.sql.Connection;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Measures the savings by column statistics for queries of one tenant with only hot rows, and the cost of keeping the
 * copy of the statistics fresh: the partition pruning paper's figures 9, 10 and 14. For one thread.
 */
final class HotColumns {
    private static final String TENANT = "busy";
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final int LOAD = 3000;

    private final Lab lab;
    private final Report report;
    private final int rows;
    private final int runs;
    private final Duration each;

    /**
     * @param rows number of the tenant's rows
     * @param runs measured runs per query
     * @param each duration of queries with each synchronisation interval
     */
    HotColumns(Lab lab, Report report, int rows, int runs, Duration each) {
        this.lab = lab;
        this.report = report;
        this.rows = rows;
        this.runs = runs;
        this.each = each;
    }

    void measure() throws Exception {
        try (HotRows sending = new HotRows(lab);
                Connection connection = lab.connect()) {
            HotQueries asking = new HotQueries(connection);
            // With the first flush the table gets its columns, and the ingest job learns of all partitions
            for (int row = 0; row < Lab.PARTITIONS; row++) {
                sending.send(TENANT, row);
            }
            sending.flush();
            sending.archive(connection, Map.of(TENANT, Lab.PARTITIONS));
            String absent = needle("latency < 0");
            asking.rows(absent);
            Thread.sleep(HotRows.NOTICE);
            for (int row = Lab.PARTITIONS; row < rows; row++) {
                sending.send(TENANT, row);
            }
            sending.flush();
            asking.set("use_cache", "false");
            // The first chunk of a partition has no statistics, the last one only partial statistics
            Await.await(TIMEOUT, "statistics of columns are known", () -> {
                Map<String, Long> metrics = asking.metrics(absent);
                return metrics.getOrDefault("hot chunks pruned by columns", 0L)
                        >= metrics.getOrDefault("hot chunks considered", 0L) - 2L * Lab.PARTITIONS;
            });
            HotComparison comparison = new HotComparison(asking, report, runs);
            for (Map.Entry<String, String> query : queries().entrySet()) {
                comparison.compare("columns/" + query.getKey(), query.getValue());
            }
            synchronise(asking, absent);
            sending.archive(connection, Map.of(TENANT, rows));
        }
    }

    private Map<String, String> queries() {
        int row = rows / 2 + 1;
        Map<String, String> queries = new LinkedHashMap<>();
        queries.put("token", needle("match(message, '%s')".formatted(HotRows.token(row))));
        queries.put("keyword", needle("trace = '%s'".formatted(HotRows.trace(row))));
        queries.put("range", needle("latency > 5000"));
        queries.put("absent", needle("level = 'ERROR'"));
        queries.put("everywhere", needle("level = 'INFO' AND latency = 7"));
        return queries;
    }

    private static String needle(String condition) {
        return "SELECT ts, message FROM cordwood.%s.%s WHERE %s".formatted(TENANT, Lab.STREAM, condition);
    }

    /** Runs queries without a pause while rows of other tenants arrive. */
    private void synchronise(HotQueries asking, String sql) throws Exception {
        try (HotLoad _ = new HotLoad(lab, LOAD)) {
            for (int millis : new int[] {1, 3, 10, 30, 100, 300, 1000}) {
                asking.set("hot_statistics_interval", "'%dms'".formatted(millis));
                asking.rows(sql);
                long start = System.nanoTime();
                double[] times = new double[10_000];
                int count = 0;
                while (System.nanoTime() - start < each.toNanos() && count < times.length) {
                    long begun = System.nanoTime();
                    asking.rows(sql);
                    times[count++] = (System.nanoTime() - begun) / 1e6;
                }
                double seconds = (System.nanoTime() - start) / 1e9;
                long records = 0;
                for (int run = 0; run < 5; run++) {
                    records += asking.metrics(sql).getOrDefault("hot records read", 0L);
                }
                String name = "synchronised_each/%d_ms".formatted(millis);
                Percentiles all = Percentiles.of(Arrays.copyOf(times, count));
                report.add(name, "queries_per_second", count / seconds, "queries/s");
                report.add(name, "median_ms", all.median(), "ms");
                report.add(name, "p99_ms", all.at(0.99), "ms");
                report.add(name, "hot_records_read", records / 5.0, "records");
            }
        }
    }
}
