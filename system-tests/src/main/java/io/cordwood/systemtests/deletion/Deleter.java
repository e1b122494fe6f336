package io.cordwood.systemtests.deletion;

import io.cordwood.systemtests.lab.Await;
import io.cordwood.systemtests.lab.Component;
import io.cordwood.systemtests.lab.Lab;
import io.cordwood.systemtests.lab.NotRecoveredException;
import io.cordwood.systemtests.ledger.Findings;
import io.cordwood.systemtests.ledger.Findings.Kind;
import io.cordwood.systemtests.ledger.Ledger;
import io.cordwood.systemtests.ledger.NumberedRow;
import io.cordwood.systemtests.ledger.RowDeletion;
import io.trino.jdbc.TrinoStatement;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntPredicate;

/**
 * Deletes rows while others are written, sometimes many and sometimes few, and retries each deletion until it succeeds.
 * The conditions also hold for later rows, which must stay. Runs in its own thread; other methods are thread-safe.
 */
public final class Deleter implements Runnable {
    private static final int[] DIVISORS = {3, 50, 2_000};
    /** Time limit of a deletion over all attempts, except attempts during which Trino went down. */
    public static final Duration TIMEOUT = Duration.ofMinutes(5);

    /** A statement whose connection broke has begun within this number of seconds, if it begins at all. */
    private static final int BEGUN_WITHIN_SECONDS = 25;

    /** Pause after a failure, so that a starting Trino is not flooded with statements that it refuses. */
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(2);

    private final Lab lab;
    private final NumberedRow.Maker rows;
    private final Ledger ledger;
    private final Findings findings;
    private final DeletionStarts starts;
    private final int window;
    private final int rowsPerSecond;
    private final IntPredicate tenants;
    private final int pauseMillis;
    private final Duration timeout;
    private final Random random;
    private volatile boolean stopped;
    private volatile long deletions;
    private volatile long deletedRows;
    private volatile long failures;
    private volatile String lastFailure = "";

    /**
     * Deletes rows of these tenants.
     *
     * @param starts records when statements began
     * @param number number of the deleter: each deletes other rows
     * @param rowsPerSecond rate of each producer
     * @param acknowledgedWithinSeconds time after which no acknowledgement arrives any more
     * @param pauseMillis the longest pause between two deletions
     * @param timeout time limit of a deletion over all attempts, except attempts during which Trino went down; also the
     *     limit for an outage of Trino
     */
    public Deleter(
            Lab lab,
            NumberedRow.Maker rows,
            Ledger ledger,
            Findings findings,
            DeletionStarts starts,
            int number,
            int rowsPerSecond,
            int acknowledgedWithinSeconds,
            IntPredicate tenants,
            int pauseMillis,
            Duration timeout) {
        this.lab = lab;
        this.rows = rows;
        this.ledger = ledger;
        this.findings = findings;
        this.starts = starts;
        this.window = rowsPerSecond * acknowledgedWithinSeconds;
        this.rowsPerSecond = rowsPerSecond;
        this.tenants = tenants;
        this.pauseMillis = pauseMillis;
        this.timeout = timeout;
        this.random = new Random(rows.seed() + 1 + number);
    }

    /** Stops after the current deletion. */
    public void stop() {
        stopped = true;
    }

    /** Number of completed deletions. */
    public long deletions() {
        return deletions;
    }

    /** Number of rows that they deleted, as far as Trino answered. */
    public long deletedRows() {
        return deletedRows;
    }

    /** Number of statements that failed and were sent again. */
    public long failures() {
        return failures;
    }

    /** The error of the last failed statement. */
    public String lastFailure() {
        return lastFailure;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // Only this thread writes
    public void run() {
        try {
            while (!stopped) {
                Thread.sleep(random.nextInt(pauseMillis));
                deleteSome();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            findings.add(Kind.WRONG, "an unreadable answer: " + e);
        }
    }

    private void deleteSome() throws InterruptedException {
        try {
            delete(
                    random.ints(0, rows.tenants()).filter(tenants).findFirst().orElseThrow(),
                    random.nextInt(ledger.producers()),
                    DIVISORS[random.nextInt(DIVISORS.length)]);
        } catch (NotRecoveredException e) {
            findings.add(Kind.NOT_RECOVERED, e.getMessage());
        }
    }

    /**
     * Deletes some of a producer's current rows of a tenant, and retries until it succeeds.
     *
     * @param divisor deletes every n-th of the producer's numbers
     * @throws NotRecoveredException if it does not succeed in time
     */
    @SuppressWarnings("NonAtomicVolatileUpdate") // Only one thread writes
    public void delete(int tenant, int producer, int divisor) throws InterruptedException, NotRecoveredException {
        RowDeletion deletion = new RowDeletion(
                tenant,
                producer,
                divisor,
                random.nextInt(divisor),
                ledger.settledBelow(producer, window),
                ledger.sentBelow(producer));
        ledger.begun(deletion);
        ledger.done(executeUntilDone(deletion));
        deletions++;
    }

    /** Returns the deletion with the rows that any of its attempts may have deleted. */
    private RowDeletion executeUntilDone(RowDeletion begun) throws InterruptedException, NotRecoveredException {
        RowDeletion deletion = begun;
        Duration spent = Duration.ZERO;
        while (spent.compareTo(timeout) <= 0) {
            Await.await(timeout, "Trino is ready", () -> lab.isReady(Component.TRINO));
            long trino = trino();
            long started = System.nanoTime();
            // Any row, until the start of the statement is known.
            RowDeletion underWay = mayDelete(deletion, Integer.MAX_VALUE);
            AtomicReference<String> queryId = new AtomicReference<>();
            boolean done = execute(underWay, queryId);
            // An earlier attempt may have begun later than this one.
            int below = Math.max(deletion.mayBelow(), begunBelow(deletion, Optional.ofNullable(queryId.get()), done));
            deletion = mayDelete(underWay, below);
            if (done) {
                return deletion;
            }
            if (trino() == trino) {
                spent = spent.plusNanos(System.nanoTime() - started);
            }
        }
        throw new NotRecoveredException(
                "not within %s: %s: %s".formatted(timeout, deletion.sql(Lab.STREAM), lastFailure));
    }

    /** Records that the statement may now delete its producer's rows below this number. */
    private RowDeletion mayDelete(RowDeletion before, int below) {
        RowDeletion deletion = before.again(below);
        ledger.begunAgain(before, deletion);
        return deletion;
    }

    /** The process id; 0 while the process restarts. */
    private long trino() {
        try {
            return lab.pid(Component.TRINO);
        } catch (IOException e) {
            return 0;
        }
    }

    /** Returns whether the statement is complete. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // Only one thread writes
    private boolean execute(RowDeletion deletion, AtomicReference<String> queryId) throws InterruptedException {
        try (Connection connection = lab.connect();
                Statement statement = connection.createStatement()) {
            // There must be time for another attempt.
            statement.execute("SET SESSION cordwood.delete_flush_timeout = '%ds'".formatted(timeout.toSeconds() / 2));
            statement.unwrap(TrinoStatement.class).setProgressMonitor(stats -> queryId.set(stats.getQueryId()));
            deletedRows += statement.executeUpdate(deletion.sql(Lab.STREAM));
            return true;
        } catch (SQLException e) {
            failures++;
            lastFailure = e.getMessage();
            Thread.sleep(PAUSE_AFTER_FAILURE);
            return false;
        }
    }

    /** A row number below which the producer had sent all rows when the statement began: later rows must stay. */
    private int begunBelow(RowDeletion deletion, Optional<String> queryId, boolean done) throws InterruptedException {
        Optional<Integer> sentBelow = Optional.empty();
        if (queryId.isPresent()) {
            sentBelow = starts.sentBelow(queryId.get(), deletion.producer());
        }
        if (done && sentBelow.isEmpty()) {
            findings.add(
                    Kind.WRONG,
                    "Trino's log does not say when query %s began: %s".formatted(queryId, deletion.sql(Lab.STREAM)));
        }
        return sentBelow.orElseGet(() -> ledger.sentBelow(deletion.producer()) + BEGUN_WITHIN_SECONDS * rowsPerSecond);
    }
}
