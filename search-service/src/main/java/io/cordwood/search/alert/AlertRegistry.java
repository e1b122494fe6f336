package io.cordwood.search.alert;

import io.cordwood.catalog.alert.Alert;
import java.util.List;

/** The alerts of the catalog service. Its methods throw {@link RuntimeException} if it does not answer. Thread-safe. */
interface AlertRegistry {
    List<Alert> alerts();

    /** Admits an evaluator, and none with a smaller number any more; returns the greatest number. */
    long admit(long fence);

    /**
     * Stores the status of an alert; false if its rule has changed.
     *
     * @throws FencedException if an evaluator with a greater number was admitted
     */
    boolean store(Alert alert, long fence);

    /** Another service evaluates the alerts. */
    final class FencedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        FencedException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
