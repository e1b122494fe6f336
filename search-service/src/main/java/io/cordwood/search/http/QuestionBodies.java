package io.cordwood.search.http;

import io.cordwood.catalog.access.Caller;
import io.cordwood.http.BodyBudget;
import io.cordwood.http.RefusedBodyException;
import io.cordwood.http.RequestBody;
import io.cordwood.http.Sender;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import org.eclipse.jetty.server.Request;

/**
 * Reads the bodies of questions, within one budget for all of them. Of one user, a part of it comes at once and the
 * rest waits, so that bodies which do not end take nothing from others. Thread-safe.
 */
public final class QuestionBodies {
    private static final int MAX_BODY_BYTES = 64 << 10;
    private static final int MAX_WAITING = 200;
    private static final Duration MAX_WAIT = Duration.ofSeconds(10);

    private final BodyBudget budget = BodyBudget.ofHeap();
    private final Admission ofUsers;

    /** @param maxOfUser bodies of one user that are read at once */
    public QuestionBodies(int maxOfUser) {
        ofUsers = new Admission(
                new Admission.Bounds(Integer.MAX_VALUE, maxOfUser, Long.MAX_VALUE), MAX_WAITING, MAX_WAIT);
    }

    /**
     * The body of a caller's request.
     *
     * @throws ApiException with status 429 if too many bodies of the user are being read
     * @throws RefusedBodyException if it is too large or too slow, or there are too many
     * @throws IOException if the client has gone
     */
    public byte[] read(Request request, Caller caller) throws IOException {
        try (Admission.Running _ = ofUsers.enter(caller.user(), 0, Client.of(request));
                BodyBudget.Hold held = budget.hold(caller.isOperator() ? Sender.SERVICE : Sender.PERSON)) {
            return RequestBody.read(request, MAX_BODY_BYTES, held);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("The service stops");
        }
    }
}
