package io.cordwood.systemtests.check;

import io.cordwood.systemtests.ledger.Findings;
import io.cordwood.systemtests.ledger.Findings.Kind;
import java.io.IOException;
import java.sql.SQLException;

/**
 * Runs one query after another while rows are written and faults happen, and compares the answers. Runs in its own
 * thread; other methods are thread-safe.
 */
public abstract class AskingThread implements Runnable {
    private final Findings findings;
    private final long restMillis;
    private volatile boolean stopped;
    private volatile long checked;
    private volatile long unanswered;
    private volatile String lastFailure = "";

    /** @param restMillis pause after a query without an answer, or without one to compare */
    protected AskingThread(Findings findings, long restMillis) {
        this.findings = findings;
        this.restMillis = restMillis;
    }

    /**
     * Runs a query and compares its answer.
     *
     * @param query number of earlier queries
     * @return false if no query was run
     * @throws SQLException if Trino did not answer
     * @throws IOException if the catalog did not answer
     */
    protected abstract boolean check(int query) throws SQLException, IOException, InterruptedException;

    public final void stop() {
        stopped = true;
    }

    protected final boolean isStopped() {
        return stopped;
    }

    /** Number of queries with compared answers. */
    public final long checked() {
        return checked;
    }

    /** Number of queries without an answer, because a component was down. */
    public final long unanswered() {
        return unanswered;
    }

    /** The error of the last query without an answer. */
    public final String lastFailure() {
        return lastFailure;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // Only this thread writes
    public final void run() {
        try {
            for (int query = 0; !stopped; query++) {
                try {
                    if (check(query)) {
                        checked++;
                    } else {
                        Thread.sleep(restMillis);
                    }
                } catch (SQLException | IOException e) {
                    unanswered++;
                    lastFailure = e.toString();
                    Thread.sleep(restMillis);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            findings.add(Kind.WRONG, "an unreadable answer: " + e);
        }
    }
}
