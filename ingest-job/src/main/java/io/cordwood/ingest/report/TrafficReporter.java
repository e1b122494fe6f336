package io.cordwood.ingest.report;

import java.io.Serializable;

/** Sends traffic reports to the balancer. Used by one thread. Never waits and never fails: reports may be lost. */
public interface TrafficReporter extends AutoCloseable {
    /** Opens a reporter in the operator's process. */
    @FunctionalInterface
    interface Factory extends Serializable {
        TrafficReporter open();
    }

    void report(TrafficReport report);

    @Override
    void close();

    /** A reporter that drops all reports. */
    static TrafficReporter none() {
        return new TrafficReporter() {
            @Override
            public void report(TrafficReport report) {
                // There is no balancer.
            }

            @Override
            public void close() {
                // Nothing is open.
            }
        };
    }
}
