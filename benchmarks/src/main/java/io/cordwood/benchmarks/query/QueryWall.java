package io.cordwood.benchmarks.query;

import io.cordwood.benchmarks.report.Report;
import io.trino.jdbc.QueryStats;

/**
 * The breakdown of the client's wall time of queries, from the statistics that Trino sends with each answer. Trino
 * counts in whole milliseconds. Not thread-safe.
 */
final class QueryWall {
    private int queries;
    private double clientMillis;
    private double queuedMillis;
    private double analysisMillis;
    private double planningMillis;
    private double elapsedMillis;
    private double taskCpuMillis;

    /** @param millis the client's wait from the request to the last row */
    void add(double millis, QueryStats stats) {
        queries++;
        clientMillis += millis;
        queuedMillis += (double) stats.getQueuedTimeMillis();
        analysisMillis += (double) stats.getAnalysisTimeMillis();
        planningMillis += (double) stats.getPlanningTimeMillis();
        elapsedMillis += (double) stats.getElapsedTimeMillis();
        taskCpuMillis += (double) stats.getCpuTimeMillis();
    }

    int queries() {
        return queries;
    }

    void report(Report report) {
        double execution = elapsedMillis - queuedMillis - analysisMillis - planningMillis;
        add(report, "wall/queued", queuedMillis);
        add(report, "wall/analysis", analysisMillis);
        add(report, "wall/planning", planningMillis);
        add(report, "wall/scheduling and execution", execution);
        add(report, "wall/protocol and client", clientMillis - elapsedMillis);
        add(report, "wall", clientMillis);
        add(report, "cpu of tasks", taskCpuMillis);
    }

    private void add(Report report, String name, double millis) {
        report.add(name, "ms_per_query", millis / queries, "ms");
    }
}
