package io.cordwood.systemtests.check;

import io.cordwood.systemtests.ledger.Findings;
import io.cordwood.systemtests.ledger.Findings.Kind;
import java.io.IOException;
import java.sql.SQLException;

/**
 * Asks one query after another while rows are written and things break, and compares the answers. Runs in a thread of
 * its own; other methods are thread-safe.
 */
public abstract class AskingThread implements Runnable {
    private final Findings findings;
    private final long restMillis;
    private volatile boolean stopped;
    private volatile long checked;
    private volatile long unanswered;
    private volatile String lastFailure = "";

    /** @param restMillis after a query that had no answer, or none to compare */
    protected AskingThread(Findings findings, long restMillis) {
        this.findings = findings;
        this.restMillis = restMillis;
    }

    /**
     * Asks and compares.
     *
     * @param query how many came before it
     * @return false if nothing was asked
     * @throws SQLException if there was no answer
     * @throws IOException if there was none from the catalog
     */
    protected abstract boolean check(int query) throws SQLException, IOException, InterruptedException;

    public final void stop() {
        stopped = true;
    }

    protected final boolean isStopped() {
        return stopped;
    }

    /** Queries whose answers were compared. */
    public final long checked() {
        return checked;
    }

    /** Queries without an answer, as something was down. */
    public final long unanswered() {
        return unanswered;
    }

    /** Why the last of them had none. */
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
            findings.add(Kind.WRONG, "an answer that cannot be understood: " + e);
        }
    }
}
