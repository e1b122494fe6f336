package io.cordwood.catalog.server.metrics;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counters of the service, as Prometheus text. Thread-safe. */
public final class ServiceMetrics {
    private static final double[] BUCKET_SECONDS = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10
    };
    private static final double NANOS_PER_SECOND = 1e9;

    private final Map<String, LongAdder> requests = new ConcurrentHashMap<>();
    private final Map<String, Latency> latencies = new ConcurrentHashMap<>();
    private final LongAdder commits = new LongAdder();
    private final LongAdder conflicts = new LongAdder();
    private final LongAdder repeats = new LongAdder();
    private final LongAdder usageLost = new LongAdder();
    private final LongAdder lateScans = new LongAdder();

    private static final class Latency {
        private final LongAdder[] buckets = new LongAdder[BUCKET_SECONDS.length];
        private final LongAdder count = new LongAdder();
        private final LongAdder nanos = new LongAdder();

        Latency() {
            java.util.Arrays.setAll(buckets, i -> new LongAdder());
        }

        void record(long elapsedNanos) {
            count.increment();
            nanos.add(elapsedNanos);
            for (int i = 0; i < buckets.length; i++) {
                if (elapsedNanos / NANOS_PER_SECOND <= BUCKET_SECONDS[i]) {
                    buckets[i].increment();
                }
            }
        }
    }

    public void request(String route, int status, long elapsedNanos) {
        String labels = "route=\"%s\",status=\"%d\"".formatted(route, status);
        requests.computeIfAbsent(labels, key -> new LongAdder()).increment();
        latencies
                .computeIfAbsent("route=\"%s\"".formatted(route), key -> new Latency())
                .record(elapsedNanos);
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
        StringBuilder text = new StringBuilder();
        header(text, "cordwood_catalog_requests_total", "counter", "Requests served");
        new TreeMap<>(requests)
                .forEach((labels, count) ->
                        sample(text, "cordwood_catalog_requests_total", "{" + labels + "}", count.sum()));
        String latency = "cordwood_catalog_request_seconds";
        header(text, latency, "histogram", "Time to answer a request");
        new TreeMap<>(latencies).forEach((labels, of) -> {
            for (int i = 0; i < BUCKET_SECONDS.length; i++) {
                sample(
                        text,
                        latency + "_bucket",
                        "{%s,le=\"%s\"}".formatted(labels, BUCKET_SECONDS[i]),
                        of.buckets[i].sum());
            }
            sample(text, latency + "_bucket", "{%s,le=\"+Inf\"}".formatted(labels), of.count.sum());
            sample(text, latency + "_sum", "{" + labels + "}", of.nanos.sum() / NANOS_PER_SECOND);
            sample(text, latency + "_count", "{" + labels + "}", of.count.sum());
        });
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
