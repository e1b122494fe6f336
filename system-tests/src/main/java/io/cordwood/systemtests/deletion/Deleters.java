package io.cordwood.systemtests.deletion;

import io.cordwood.benchmarks.report.Report;
import io.cordwood.systemtests.lab.Lab;
import io.cordwood.systemtests.ledger.Findings;
import io.cordwood.systemtests.ledger.Ledger;
import io.cordwood.systemtests.ledger.NumberedRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * Several concurrent deleters for the rows of all tenants except the one that is itself deleted, and one more for
 * single statements. For one thread.
 */
public final class Deleters implements AutoCloseable {
    /** Time limit of a producer for sending a row. */
    private static final int ACKNOWLEDGED_WITHIN_SECONDS = 305;
    /** The largest tenants, which soon have tables. */
    private static final int MAX_TENANTS = 50;

    private static final int PAUSE_MILLIS = 2_000;

    private final DeletionStarts starts;
    private final List<Deleter> deleters;
    private final int background;
    private final List<Thread> threads = new ArrayList<>();

    /**
     * Creates deleters, which do not run yet.
     *
     * @param background number of deleters that run all the time, once started
     * @param rowsPerSecond rate of each producer
     * @param timeout time limit of a deletion
     */
    public Deleters(
            Lab lab,
            NumberedRow.Maker rows,
            Ledger ledger,
            Findings findings,
            int background,
            int rowsPerSecond,
            Duration timeout) {
        this.background = background;
        starts = new DeletionStarts(lab, ledger);
        deleters = IntStream.rangeClosed(0, background)
                .mapToObj(number -> new Deleter(
                        lab,
                        rows,
                        ledger,
                        findings,
                        starts,
                        number,
                        rowsPerSecond,
                        ACKNOWLEDGED_WITHIN_SECONDS,
                        tenant -> tenant != TenantDeleter.DELETED_TENANT && tenant < MAX_TENANTS,
                        PAUSE_MILLIS,
                        timeout))
                .toList();
    }

    /** The deleter for single statements. */
    public Deleter single() {
        return deleters.getLast();
    }

    public void start() {
        for (Deleter deleter : deleters.subList(0, background)) {
            threads.add(Thread.ofPlatform().name("deleter-" + threads.size()).start(deleter));
        }
    }

    /** Waits for the current deletions. */
    public void stop() throws InterruptedException {
        deleters.forEach(Deleter::stop);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Does not wait for the current deletions. */
    @Override
    public void close() {
        deleters.forEach(Deleter::stop);
        starts.close();
    }

    public void report(Report report) {
        report.add("all", "deletions", sum(Deleter::deletions), "statements");
        report.add("all", "deleted_rows", sum(Deleter::deletedRows), "rows");
        report.add("all", "deletions_failed", sum(Deleter::failures), "statements");
    }

    private double sum(ToLongFunction<Deleter> figure) {
        return deleters.stream().mapToLong(figure).sum();
    }
}
