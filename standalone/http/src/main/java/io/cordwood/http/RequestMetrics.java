package io.cordwood.http;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts and times of a service's requests, in the text format of Prometheus. Thread-safe. */
public final class RequestMetrics {
    private static final double[] BOUNDS = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30};
    private static final double NANOS_PER_SECOND = 1e9;

    private record Key(String name, int status) {}

    /** Times of the requests of one name. */
    private static final class Times {
        private final LongAdder[] counts = new LongAdder[BOUNDS.length + 1];
        private final LongAdder nanos = new LongAdder();

        Times() {
            for (int i = 0; i < counts.length; i++) {
                counts[i] = new LongAdder();
            }
        }

        void add(long took) {
            int bucket = 0;
            while (bucket < BOUNDS.length && took / NANOS_PER_SECOND > BOUNDS[bucket]) {
                bucket++;
            }
            counts[bucket].increment();
            nanos.add(took);
        }
    }

    private final String prefix;
    private final String label;
    private final Map<Key, LongAdder> requests = new ConcurrentHashMap<>();
    private final Map<String, Times> times = new ConcurrentHashMap<>();

    /**
     * @param prefix begins the names of the series
     * @param label what the names of requests are
     */
    public RequestMetrics(String prefix, String label) {
        this.prefix = requireNonNull(prefix, "prefix is null");
        this.label = requireNonNull(label, "label is null");
    }

    /**
     * Records an answered request.
     *
     * @param name one of a fixed number of names
     */
    public void answered(String name, int status, long nanos) {
        requests.computeIfAbsent(new Key(name, status), any -> new LongAdder()).increment();
        times.computeIfAbsent(name, any -> new Times()).add(nanos);
    }

    /** All series. */
    public String toPrometheus() {
        StringBuilder text = new StringBuilder("""
            # HELP %1$s_requests_total Answered requests, by %2$s and status
            # TYPE %1$s_requests_total counter
            """.formatted(prefix, label));
        Map<String, Long> counts = new TreeMap<>();
        requests.forEach((key, count) ->
                counts.put("%s=\"%s\",status=\"%d\"".formatted(label, key.name(), key.status()), count.sum()));
        counts.forEach((labels, count) -> text.append("%s_requests_total{%s} %d\n".formatted(prefix, labels, count)));
        text.append("""
            # HELP %1$s_request_seconds Time until a request is answered, by %2$s
            # TYPE %1$s_request_seconds histogram
            """.formatted(prefix, label));
        new TreeMap<>(times).forEach((name, measured) -> append(text, "%s=\"%s\"".formatted(label, name), measured));
        return text.toString();
    }

    private void append(StringBuilder text, String labels, Times measured) {
        long total = 0;
        for (int i = 0; i <= BOUNDS.length; i++) {
            total += measured.counts[i].sum();
            String bound = i == BOUNDS.length ? "+Inf" : Double.toString(BOUNDS[i]);
            text.append("%s_request_seconds_bucket{%s,le=\"%s\"} %d\n".formatted(prefix, labels, bound, total));
        }
        text.append(
                "%s_request_seconds_sum{%s} %s\n".formatted(prefix, labels, measured.nanos.sum() / NANOS_PER_SECOND));
        text.append("%s_request_seconds_count{%s} %d\n".formatted(prefix, labels, total));
    }
}
