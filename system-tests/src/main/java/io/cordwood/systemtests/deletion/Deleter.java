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
 * Deletes rows while others are written, many at once and few, each time again until it is done. The conditions hold
 * for rows that are still to come, too: these must stay. Runs in a thread of its own; other methods are thread-safe.
 */
public final class Deleter implements Runnable {
    private static final int[] DIVISORS = {3, 50, 2_000};
    /** How long a deletion may take, all attempts together, without those during which Trino went down. */
    public static final Duration PATIENCE = Duration.ofMinutes(5);

    /** Within so many seconds a statement whose connection broke has begun, if it does at all. */
    private static final int BEGUN_WITHIN_SECONDS = 25;

    /** After a failure: a Trino that starts must not be kept busy with statements that it refuses. */
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
    private final Duration patience;
    private final Random random;
    private volatile boolean stopped;
    private volatile long deletions;
    private volatile long deletedRows;
    private volatile long failures;
    private volatile String lastFailure = "";

    /**
     * Deletes rows of these tenants.
     *
     * @param starts when statements began
     * @param number of the deleter: each deletes others
     * @param rowsPerSecond of each producer
     * @param acknowledgedWithinSeconds after which an acknowledgement never comes
     * @param pauseMillis the longest pause between two deletions
     * @param patience how long a deletion may take, all attempts together, without those during which Trino went down;
     *     and how long Trino may be down
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
            Duration patience) {
        this.lab = lab;
        this.rows = rows;
        this.ledger = ledger;
        this.findings = findings;
        this.starts = starts;
        this.window = rowsPerSecond * acknowledgedWithinSeconds;
        this.rowsPerSecond = rowsPerSecond;
        this.tenants = tenants;
        this.pauseMillis = pauseMillis;
        this.patience = patience;
        this.random = new Random(rows.seed() + 1 + number);
    }

    /** After the one that is under way. */
    public void stop() {
        stopped = true;
    }

    /** Deletions that are done. */
    public long deletions() {
        return deletions;
    }

    /** Rows that they deleted, as far as an answer came. */
    public long deletedRows() {
        return deletedRows;
    }

    /** Statements that failed and were sent again. */
    public long failures() {
        return failures;
    }

    /** Why the last of them did. */
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
            findings.add(Kind.WRONG, "an answer that cannot be understood: " + e);
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
     * Deletes some of a producer's rows of a tenant, those that there are now; again until it is done.
     *
     * @param divisor every so many of the producer's numbers
     * @throws NotRecoveredException if it is not done in good time
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

    /** Returns the deletion with the rows that its last attempt, or an earlier one, may have deleted. */
    private RowDeletion executeUntilDone(RowDeletion begun) throws InterruptedException, NotRecoveredException {
        RowDeletion deletion = begun;
        Duration spent = Duration.ZERO;
        while (spent.compareTo(patience) <= 0) {
            Await.await(patience, "Trino is ready", () -> lab.isReady(Component.TRINO));
            long trino = trino();
            long started = System.nanoTime();
            // Any row, until it is known when the statement began.
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
                "not within %s: %s: %s".formatted(patience, deletion.sql(Lab.STREAM), lastFailure));
    }

    /** From now on the statement may delete its producer's rows below this number. */
    private RowDeletion mayDelete(RowDeletion before, int below) {
        RowDeletion deletion = before.again(below);
        ledger.begunAgain(before, deletion);
        return deletion;
    }

    /** The process; 0 if it is being started again. */
    private long trino() {
        try {
            return lab.pid(Component.TRINO);
        } catch (IOException e) {
            return 0;
        }
    }

    /** Returns whether the statement is done. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // Only one thread writes
    private boolean execute(RowDeletion deletion, AtomicReference<String> queryId) throws InterruptedException {
        try (Connection connection = lab.connect();
                Statement statement = connection.createStatement()) {
            // Another attempt must be left.
            statement.execute("SET SESSION cordwood.delete_flush_timeout = '%ds'".formatted(patience.toSeconds() / 2));
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

    /** A number below which the producer had sent all rows when the statement had begun: later rows must stay. */
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
