package io.cordwood.search.api;

import io.cordwood.http.RequestMetrics;
import io.cordwood.search.http.Turns;

/** Counts and times of requests, in the text format of Prometheus. Thread-safe. */
public final class ApiMetrics {
    private final RequestMetrics requests = new RequestMetrics("cordwood_search", "operation");
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
        requests.answered(operation, status, nanos);
    }

    /** Records the number of open tails. */
    public void tails(int open) {
        tails = open;
    }

    /** All series. */
    public String toPrometheus() {
        return requests.toPrometheus() + """
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
            """.formatted(tails, turns.running(), turns.waiting(), turns.bytes());
    }
}
