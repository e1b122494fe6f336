package io.cordwood.benchmarks.faults;

import io.cordwood.benchmarks.faults.Findings.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Random;
import java.util.function.IntPredicate;

/**
 * Deletes rows while others are written, many at once and few, each time again until it is done. The conditions hold
 * for rows that are still to come, too: these must stay. Runs in a thread of its own; other methods are thread-safe.
 */
final class Deleter implements Runnable {
    private static final int[] DIVISORS = {3, 50, 2_000};
    /** How long a deletion may take, all attempts together. */
    static final Duration PATIENCE = Duration.ofMinutes(5);

    /** Within so many seconds a statement that was sent has begun, though Trino or the catalog may be halted for a while. */
    private static final int BEGUN_WITHIN_SECONDS = 25;

    private final Lab lab;
    private final NumberedRow.Maker rows;
    private final Ledger ledger;
    private final Findings findings;
    private final int window;
    private final int rowsPerSecond;
    private final IntPredicate tenants;
    private final int pauseMillis;
    private final Duration patience;
    private final Random random;
    private volatile RowDeletion current;
    private volatile boolean stopped;
    private volatile long deletions;
    private volatile long deletedRows;
    private volatile long failures;
    private volatile String lastFailure = "";

    /**
     * Deletes rows of these tenants.
     *
     * @param number of the deleter: each deletes others
     * @param rowsPerSecond of each producer
     * @param acknowledgedWithinSeconds after which an acknowledgement never comes
     * @param pauseMillis the longest pause between two deletions
     * @param patience how long a deletion may take, all attempts together
     */
    Deleter(
            Lab lab,
            NumberedRow.Maker rows,
            Ledger ledger,
            Findings findings,
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
        this.window = rowsPerSecond * acknowledgedWithinSeconds;
        this.rowsPerSecond = rowsPerSecond;
        this.tenants = tenants;
        this.pauseMillis = pauseMillis;
        this.patience = patience;
        this.random = new Random(rows.seed() + 1 + number);
    }

    /** After the one that is under way. */
    void stop() {
        stopped = true;
    }

    /** Deletions that are done. */
    long deletions() {
        return deletions;
    }

    /** Rows that they deleted, as far as an answer came. */
    long deletedRows() {
        return deletedRows;
    }

    /** Statements that failed and were sent again. */
    long failures() {
        return failures;
    }

    /** Why the last of them did. */
    String lastFailure() {
        return lastFailure;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // Only this thread writes
    public void run() {
        try {
            while (!stopped) {
                Thread.sleep(random.nextInt(pauseMillis));
                delete(
                        random.ints(0, rows.tenants())
                                .filter(tenants)
                                .findFirst()
                                .orElseThrow(),
                        random.nextInt(ledger.producers()),
                        DIVISORS[random.nextInt(DIVISORS.length)]);
            }
        } catch (NotRecoveredException e) {
            findings.add(Kind.NOT_RECOVERED, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            findings.add(Kind.WRONG, "an answer that cannot be understood: " + e);
        }
    }

    /**
     * Deletes some of a producer's rows of a tenant, those that there are now; again until it is done.
     *
     * @param divisor every so many of the producer's numbers
     * @throws NotRecoveredException if it is not done in good time
     */
    @SuppressWarnings("NonAtomicVolatileUpdate") // Only one thread writes
    void delete(int tenant, int producer, int divisor) throws InterruptedException, NotRecoveredException {
        begin(new RowDeletion(
                tenant,
                producer,
                divisor,
                random.nextInt(divisor),
                ledger.settledBelow(producer, window),
                ledger.sentBelow(producer)));
        Patience.await(patience, current.sql(), this::execute);
        synchronized (this) {
            ledger.done(current);
        }
        deletions++;
    }

    private synchronized void begin(RowDeletion deletion) {
        ledger.begun(deletion);
        current = deletion;
    }

    /** The statement that is under way has begun: rows that are sent from now on must stay. */
    void hasBegun() {
        mayDelete(0);
    }

    private synchronized void mayDelete(int seconds) {
        RowDeletion deletion = current.again(ledger.sentBelow(current.producer()) + seconds * rowsPerSecond);
        ledger.begunAgain(current, deletion);
        current = deletion;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // Only one thread writes
    private boolean execute() throws SQLException {
        mayDelete(BEGUN_WITHIN_SECONDS);
        try (Connection connection = lab.connect();
                Statement statement = connection.createStatement()) {
            // Another attempt must be left.
            statement.execute("SET SESSION cordwood.delete_flush_timeout = '%ds'".formatted(patience.toSeconds() / 2));
            deletedRows += statement.executeUpdate(current.sql());
            return true;
        } catch (SQLException e) {
            failures++;
            lastFailure = e.getMessage();
            throw e;
        }
    }
}
