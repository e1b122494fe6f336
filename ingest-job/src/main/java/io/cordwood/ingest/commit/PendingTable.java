package io.cordwood.ingest.commit;

import io.cordwood.catalog.commit.BackOff;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The flushes of one table that are not committed yet. Used by the task thread only. */
final class PendingTable {
    /** Checkpoint of flushes from a restored checkpoint. */
    static final long RESTORED = -1;

    private static final long FRESH = Long.MAX_VALUE;
    private static final long MIN_BACK_OFF_MILLIS = 1000;
    private static final long MAX_BACK_OFF_MILLIS = Duration.ofMinutes(5).toMillis();

    private final TableKey table;
    private final List<Entry> entries = new ArrayList<>();
    private boolean committing;
    private int failures;
    private long retry;

    PendingTable(TableKey table) {
        this.table = table;
    }

    private record Entry(TableFlush flush, long checkpoint) {}

    TableKey table() {
        return table;
    }

    void add(TableFlush flush) {
        entries.add(new Entry(flush, FRESH));
    }

    void addRestored(TableFlush flush) {
        entries.add(new Entry(flush, RESTORED));
    }

    /** Assigns all fresh flushes to this checkpoint. */
    void seal(long checkpoint) {
        entries.replaceAll(entry -> entry.checkpoint() == FRESH ? new Entry(entry.flush(), checkpoint) : entry);
    }

    /**
     * Starts an attempt with all flushes of completed checkpoints.
     *
     * @param now tick of the job's clock
     * @return the flushes; empty if there are none, an attempt is in progress, or it is too early for the next one
     */
    List<TableFlush> start(long completedCheckpoint, long now) {
        if (committing || now < retry) {
            return List.of();
        }
        List<TableFlush> ready = entries.stream()
                .filter(entry -> entry.checkpoint() <= completedCheckpoint)
                .map(Entry::flush)
                .toList();
        committing = !ready.isEmpty();
        return ready;
    }

    /** Notes that the flushes of the attempt are in the table. */
    void succeeded(List<TableFlush> committed) {
        committing = false;
        failures = 0;
        retry = 0;
        entries.removeIf(entry -> committed.contains(entry.flush()));
    }

    /**
     * Notes that the attempt failed.
     *
     * @param now tick of the job's clock
     * @return milliseconds until the next attempt
     */
    long failed(long now) {
        committing = false;
        long backOff = BackOff.delayMillis(failures, MIN_BACK_OFF_MILLIS, MAX_BACK_OFF_MILLIS);
        failures++;
        retry = now + backOff;
        return backOff;
    }

    /** Whether the flush is from the checkpoint that the job was started from. */
    boolean isRestored(TableFlush flush) {
        return entries.contains(new Entry(flush, RESTORED));
    }

    boolean isQuarantined() {
        return failures > 0;
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    List<TableFlush> flushes() {
        return entries.stream().map(Entry::flush).toList();
    }
}
