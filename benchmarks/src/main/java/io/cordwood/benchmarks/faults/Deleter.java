package io.cordwood.benchmarks.faults;

import io.cordwood.benchmarks.faults.Findings.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Random;

/**
 * Deletes rows while others are written, many at once and few, each time again until it is done. Runs in a thread of its
 * own; other methods are thread-safe.
 */
final class Deleter implements Runnable {
    private static final int[] DIVISORS = {3, 50, 2_000};
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Lab lab;
    private final NumberedRow.Maker rows;
    private final Ledger ledger;
    private final Findings findings;
    private final int window;
    private final Random random;
    private volatile boolean stopped;
    private volatile long deletions;
    private volatile long deletedRows;
    private volatile long failures;
    private volatile String lastFailure = "";

    /** @param window rows that a producer sends while an acknowledgement may still come */
    Deleter(Lab lab, NumberedRow.Maker rows, Ledger ledger, Findings findings, int window) {
        this.lab = lab;
        this.rows = rows;
        this.ledger = ledger;
        this.findings = findings;
        this.window = window;
        this.random = new Random(rows.seed() + 1);
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
                Thread.sleep(random.nextInt(4_000));
                int producer = random.nextInt(ledger.producers());
                int divisor = DIVISORS[random.nextInt(DIVISORS.length)];
                RowDeletion deletion = new RowDeletion(
                        random.nextInt(Math.min(PrefixReader.MAX_TENANTS, rows.tenants())),
                        producer,
                        divisor,
                        random.nextInt(divisor),
                        ledger.settledBelow(producer, window));
                ledger.begun(deletion);
                Patience.await(PATIENCE, deletion.sql(), () -> delete(deletion));
                ledger.done(deletion);
                deletions++;
            }
        } catch (NotRecoveredException e) {
            findings.add(Kind.NOT_RECOVERED, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            findings.add(Kind.WRONG, "an answer that cannot be understood: " + e);
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // Only one thread writes
    private boolean delete(RowDeletion deletion) throws SQLException {
        try (Connection connection = lab.connect();
                Statement statement = connection.createStatement()) {
            deletedRows += statement.executeUpdate(deletion.sql());
            return true;
        } catch (SQLException e) {
            failures++;
            lastFailure = e.getMessage();
            throw e;
        }
    }
}
