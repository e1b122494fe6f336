package io.cordwood.systemtests.hot;

import io.cordwood.benchmarks.report.Report;
import java.sql.SQLException;
import java.util.Map;

/**
 * Compares reads and time of a query with statistics and without. The caller disables the cache, because cached rows
 * would not be read again. For one thread.
 *
 * @param runs measured runs per query
 */
record HotComparison(HotQueries asking, Report report, int runs) {
    void compare(String name, String sql) throws SQLException {
        asking.set("use_statistics", "false");
        Map<String, Long> without = measure(name + "/without_statistics", sql);
        asking.set("use_statistics", "true");
        Map<String, Long> with = measure(name + "/statistics", sql);
        report.add(
                name,
                "chunks_read_ratio",
                (double) chunks(with) / Math.max(1, chunks(without)),
                "with statistics over without");
    }

    private Map<String, Long> measure(String name, String sql) throws SQLException {
        Map<String, Long> metrics = asking.metrics(sql);
        report.add(name, "hot_partitions_read", count(metrics, "hot partitions read"), "partitions");
        report.add(name, "hot_chunks_read", (double) chunks(metrics), "chunks");
        report.add(name, "hot_bytes_read", count(metrics, "hot bytes read"), "bytes");
        report.add(name, "logblocks_opened", count(metrics, "LogBlocks opened"), "files");
        report.add(name, "median_ms", asking.medianMillis(sql, runs), "ms");
        return metrics;
    }

    private static long chunks(Map<String, Long> metrics) {
        return metrics.getOrDefault("hot chunks read", 0L);
    }

    private static double count(Map<String, Long> metrics, String name) {
        return metrics.getOrDefault(name, 0L);
    }
}
