package io.cordwood.systemtests.hot;

import io.cordwood.benchmarks.report.Report;
import io.cordwood.systemtests.lab.Await;
import io.cordwood.systemtests.lab.Lab;
import java.sql.Connection;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;

/**
 * Measures queries of tenants with a share of hot rows, from none to half: the partition pruning paper's figure 13. The
 * matching rows are cold. For one thread.
 */
final class HotShare {
    private static final int MAX_PERCENT = 50;
    private static final int STEP = 10;
    private static final Duration TIMEOUT = Duration.ofMinutes(3);

    private final Lab lab;
    private final Report report;
    private final int rows;
    private final int runs;

    /**
     * @param rows number of rows of each tenant
     * @param runs measured runs per query
     */
    HotShare(Lab lab, Report report, int rows, int runs) {
        this.lab = lab;
        this.report = report;
        this.rows = rows;
        this.runs = runs;
    }

    private static String tenant(int percent) {
        return "share" + percent;
    }

    /** Number of a tenant's rows that are archived before the others are sent. */
    private int cold(int percent) {
        return (int) ((long) rows * (100 - percent) / 100);
    }

    void measure() throws Exception {
        try (HotRows sending = new HotRows(lab);
                Connection connection = lab.connect()) {
            HotQueries asking = new HotQueries(connection);
            send(sending, false);
            archive(sending, connection, this::cold);
            for (int percent = 0; percent <= MAX_PERCENT; percent += STEP) {
                asking.rows(query(percent));
            }
            Thread.sleep(HotRows.NOTICE);
            send(sending, true);
            asking.set("use_cache", "false");
            Await.await(TIMEOUT, "statistics of columns are known", () -> {
                Map<String, Long> metrics = asking.metrics(query(MAX_PERCENT));
                return metrics.getOrDefault("hot chunks pruned by columns", 0L)
                        >= metrics.getOrDefault("hot chunks considered", 0L) - 3L * Lab.PARTITIONS;
            });
            HotComparison comparison = new HotComparison(asking, report, runs);
            for (int percent = 0; percent <= MAX_PERCENT; percent += STEP) {
                comparison.compare("hot_share/%d_percent".formatted(percent), query(percent));
            }
            archive(sending, connection, any -> rows);
        }
    }

    private String query(int percent) {
        return "SELECT ts, message FROM cordwood.%s.%s WHERE match(message, '%s')"
                .formatted(tenant(percent), Lab.STREAM, HotRows.token(rows / 4));
    }

    /** Sends the rows of all tenants, so that each has a part of each chunk. */
    private void send(HotRows sending, boolean hot) {
        for (int row = 0; row < rows; row++) {
            for (int percent = 0; percent <= MAX_PERCENT; percent += STEP) {
                int part = hot ? rows - cold(percent) : cold(percent);
                // Spread evenly over the duration of the largest part
                int largest = hot ? rows - cold(MAX_PERCENT) : rows;
                long before = (long) row * part / largest;
                long after = (row + 1L) * part / largest;
                if (after > before && before < part) {
                    sending.send(tenant(percent), (int) before + (hot ? cold(percent) : 0));
                }
            }
        }
        sending.flush();
    }

    private void archive(HotRows sending, Connection connection, IntUnaryOperator rowsOfPercent) throws Exception {
        Map<String, Integer> expected = new TreeMap<>();
        for (int percent = 0; percent <= MAX_PERCENT; percent += STEP) {
            expected.put(tenant(percent), rowsOfPercent.applyAsInt(percent));
        }
        sending.archive(connection, expected);
    }
}
