package io.cordwood.systemtests.lab;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;

/** Waits for conditions on a stack that may be down temporarily. Stateless. */
public final class Await {
    private static final long POLL_MILLIS = 100;

    private Await() {}

    /** A condition to check; an exception means not yet. */
    @FunctionalInterface
    public interface Question {
        boolean ask() throws IOException, SQLException, ExecutionException, InterruptedException;
    }

    /** Polls until the condition holds. @throws NotRecoveredException if it does not within the limit */
    public static void await(Duration limit, String what, Question question)
            throws NotRecoveredException, InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        String last = "";
        while (System.nanoTime() < deadline) {
            try {
                if (question.ask()) {
                    return;
                }
            } catch (IOException | SQLException | ExecutionException e) {
                last = ": " + e.getMessage(); // Temporarily down.
            }
            Thread.sleep(POLL_MILLIS);
        }
        throw new NotRecoveredException("not within %s: %s%s".formatted(limit, what, last));
    }
}
