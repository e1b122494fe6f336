package io.cordwood.ingest.report;

import java.io.Serializable;

/**
 * Takes reports of traffic to whoever balances it. Used by one thread. Never waits, never fails: reports may be lost.
 */
public interface TrafficReporter extends AutoCloseable {
    /** Opens a reporter where an operator runs. */
    @FunctionalInterface
    interface Factory extends Serializable {
        TrafficReporter open();
    }

    void report(TrafficReport report);

    @Override
    void close();

    /** A reporter that nobody listens to. */
    static TrafficReporter none() {
        return new TrafficReporter() {
            @Override
            public void report(TrafficReport report) {
                // Nobody balances.
            }

            @Override
            public void close() {
                // Nothing is open.
            }
        };
    }
}
