package io.cordwood.search.api;

import io.cordwood.search.http.Turns;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts and times of requests, in the text format of Prometheus. Thread-safe. */
public final class ApiMetrics {
    private static final double[] BOUNDS = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30};
    private static final double NANOS_PER_SECOND = 1e9;

    private record Key(String operation, int status) {}

    /** Times of the requests of an operation. */
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

    private final Map<Key, LongAdder> requests = new ConcurrentHashMap<>();
    private final Map<String, Times> times = new ConcurrentHashMap<>();
    private final Turns turns;
    private volatile int tails;

    public ApiMetrics(Turns turns) {
        this.turns = turns;
    }

    /**
     * Records an answered request.
     *
     * @param operation one of a fixed number of names
     */
    public void answered(String operation, int status, long nanos) {
        requests.computeIfAbsent(new Key(operation, status), any -> new LongAdder())
                .increment();
        times.computeIfAbsent(operation, any -> new Times()).add(nanos);
    }

    /** Records the number of open tails. */
    public void tails(int open) {
        tails = open;
    }

    /** All series. */
    public String toPrometheus() {
        StringBuilder text = new StringBuilder("""
            # HELP cordwood_search_requests_total Answered requests, by operation and status
            # TYPE cordwood_search_requests_total counter
            """);
        Map<String, Long> counts = new TreeMap<>();
        requests.forEach((key, count) ->
                counts.put("operation=\"%s\",status=\"%d\"".formatted(key.operation(), key.status()), count.sum()));
        counts.forEach(
                (labels, count) -> text.append("cordwood_search_requests_total{%s} %d\n".formatted(labels, count)));
        text.append("""
            # HELP cordwood_search_request_seconds Time until a request is answered, by operation
            # TYPE cordwood_search_request_seconds histogram
            """);
        new TreeMap<>(times).forEach((operation, measured) -> append(text, operation, measured));
        return text.append("""
            # HELP cordwood_search_tails Open live tails
            # TYPE cordwood_search_tails gauge
            cordwood_search_tails %d
            # HELP cordwood_search_questions Questions that run, and that wait for their turn
            # TYPE cordwood_search_questions gauge
            cordwood_search_questions{state="running"} %d
            cordwood_search_questions{state="waiting"} %d
            # HELP cordwood_search_question_memory_bytes Memory that the questions that run may need
            # TYPE cordwood_search_question_memory_bytes gauge
            cordwood_search_question_memory_bytes %d
            """.formatted(tails, turns.running(), turns.waiting(), turns.bytes()))
                .toString();
    }

    private static void append(StringBuilder text, String operation, Times measured) {
        long total = 0;
        for (int i = 0; i <= BOUNDS.length; i++) {
            total += measured.counts[i].sum();
            String bound = i == BOUNDS.length ? "+Inf" : Double.toString(BOUNDS[i]);
            text.append("cordwood_search_request_seconds_bucket{operation=\"%s\",le=\"%s\"} %d\n"
                    .formatted(operation, bound, total));
        }
        text.append("cordwood_search_request_seconds_sum{operation=\"%s\"} %s\n"
                .formatted(operation, measured.nanos.sum() / NANOS_PER_SECOND));
        text.append("cordwood_search_request_seconds_count{operation=\"%s\"} %d\n".formatted(operation, total));
    }
}
