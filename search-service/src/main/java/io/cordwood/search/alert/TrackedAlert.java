package io.cordwood.search.alert;

import io.cordwood.catalog.alert.Alert;
import io.cordwood.catalog.alert.AlertStatus;
import java.time.Instant;

/**
 * An alert as the evaluator last stored it. One task at a time changes it; any thread reads it.
 *
 * <p>What is sent is what is stored, never what is about to be.
 */
final class TrackedAlert {
    private volatile Alert stored;
    private volatile boolean isRunning;
    private volatile Instant notBefore = Instant.MIN;
    private volatile Instant notStoredBefore = Instant.MIN;
    private volatile boolean isNewestNext;

    TrackedAlert(Alert stored) {
        this.stored = stored;
    }

    /**
     * What notifications are about: an alert that fires, or its end.
     *
     * @param revision of the rule
     */
    record Change(String revision, AlertStatus.State state, Instant startsAt) {}

    Alert stored() {
        return stored;
    }

    void store(Alert alert) {
        stored = alert;
    }

    /** Takes what the registry has; a failure of another revision says nothing. */
    void refresh(Alert alert) {
        if (!alert.revision().equals(stored.revision())) {
            notBefore = Instant.MIN;
            isNewestNext = false;
        }
        stored = alert;
    }

    /** Whether there is something to send. */
    static boolean isSent(AlertStatus status) {
        return status.state() == AlertStatus.State.FIRING || status.state() == AlertStatus.State.RESOLVED;
    }

    /** What a notification of this alert is about. */
    static Change change(Alert alert) {
        return new Change(
                alert.revision(),
                alert.status().state(),
                alert.status().startsAt().orElseThrow());
    }

    boolean isRunning() {
        return isRunning;
    }

    void begin() {
        isRunning = true;
    }

    void end() {
        isRunning = false;
    }

    /** When it may be evaluated again after a failure. */
    Instant notBefore() {
        return notBefore;
    }

    void retryAt(Instant time) {
        notBefore = time;
    }

    /** Before this time nothing is done that must be stored, as the registry failed to store. */
    Instant notStoredBefore() {
        return notStoredBefore;
    }

    void storeAgainAt(Instant time) {
        notStoredBefore = time;
    }

    /** Whether the newest evaluation is next, not the one that failed: the question itself is what it fails by. */
    boolean isNewestNext() {
        return isNewestNext;
    }

    void takeNewestNext(boolean isNewest) {
        isNewestNext = isNewest;
    }
}
