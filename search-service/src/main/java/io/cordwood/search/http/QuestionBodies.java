package io.cordwood.search.http;

import io.cordwood.http.BodyBudget;
import io.cordwood.http.RefusedBodyException;
import io.cordwood.http.RequestBody;
import io.cordwood.http.Sender;
import io.cordwood.search.access.Caller;
import java.io.IOException;
import org.eclipse.jetty.server.Request;

/** Reads the bodies of questions, within one budget for all of them. Thread-safe. */
public final class QuestionBodies {
    private static final int MAX_BODY_BYTES = 64 << 10;

    private final BodyBudget budget = BodyBudget.ofHeap();

    /**
     * The body of a caller's request.
     *
     * @throws RefusedBodyException if it is too large or too slow, or there are too many
     * @throws IOException if the client has gone
     */
    public byte[] read(Request request, Caller caller) throws IOException {
        try (BodyBudget.Hold held = budget.hold(caller.isOperator() ? Sender.SERVICE : Sender.PERSON)) {
            return RequestBody.read(request, MAX_BODY_BYTES, held);
        }
    }
}
