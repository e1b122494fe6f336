package io.cordwood.catalog.server.metrics;

import io.cordwood.http.RequestMetrics;
import java.util.concurrent.atomic.LongAdder;

/** Counters of the service, as Prometheus text. Thread-safe. */
public final class ServiceMetrics {
    private final RequestMetrics requests = new RequestMetrics("cordwood_catalog", "route");
    private final LongAdder commits = new LongAdder();
    private final LongAdder conflicts = new LongAdder();
    private final LongAdder repeats = new LongAdder();
    private final LongAdder usageLost = new LongAdder();
    private final LongAdder lateScans = new LongAdder();

    /**
     * Records an answered request.
     *
     * @param route one of a fixed number of routes
     */
    public void request(String route, int status, long nanos) {
        requests.answered(route, status, nanos);
    }

    public void commit() {
        commits.increment();
    }

    public void conflict() {
        conflicts.increment();
    }

    public void repeatedCommit() {
        repeats.increment();
    }

    public void usageLost(long ofCommits) {
        usageLost.add(ofCommits);
    }

    public void lateScans(int totals) {
        lateScans.add(totals);
    }

    public String toPrometheus() {
        StringBuilder text = new StringBuilder(requests.toPrometheus());
        header(text, "cordwood_catalog_commits_total", "counter", "Successful commits to tables");
        sample(text, "cordwood_catalog_commits_total", "", commits.sum());
        header(
                text,
                "cordwood_catalog_commit_conflicts_total",
                "counter",
                "Commits refused because another commit came first");
        sample(text, "cordwood_catalog_commit_conflicts_total", "", conflicts.sum());
        header(
                text,
                "cordwood_catalog_repeated_commits_total",
                "counter",
                "Repeated commits recognised as already applied");
        sample(text, "cordwood_catalog_repeated_commits_total", "", repeats.sum());
        header(
                text,
                "cordwood_catalog_usage_lost_commits_total",
                "counter",
                "Commits whose usage left the journal of their table before it was added up");
        sample(text, "cordwood_catalog_usage_lost_commits_total", "", usageLost.sum());
        header(
                text,
                "cordwood_catalog_usage_late_scans_total",
                "counter",
                "Totals of scanned bytes that arrived after their hour was closed");
        sample(text, "cordwood_catalog_usage_late_scans_total", "", lateScans.sum());
        return text.toString();
    }

    public static void header(StringBuilder text, String name, String type, String help) {
        text.append("# HELP ").append(name).append(' ').append(help).append(".\n");
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    public static void sample(StringBuilder text, String name, String labels, Number value) {
        text.append(name).append(labels).append(' ').append(value).append('\n');
    }
}
