package io.cordwood.search.http;

import io.cordwood.http.ClientConnection;
import io.cordwood.query.search.GivenUpException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.eclipse.jetty.server.Request;

/** The client of a request, as long as it waits for the answer. Thread-safe. */
public final class Client {
    /** Time between two looks at its connection. */
    static final Duration INTERVAL = Duration.ofMillis(100);

    /** For questions that the service itself asks: nobody leaves. */
    public static final Client NONE = new Client(() -> false);

    private final BooleanSupplier isClosed;
    private final AtomicLong next = new AtomicLong(System.nanoTime() + INTERVAL.toNanos());
    private volatile boolean hasLeft;

    /** @param isClosed looks whether its connection is closed */
    Client(BooleanSupplier isClosed) {
        this.isClosed = isClosed;
    }

    /** The client that sent a request. */
    public static Client of(Request request) {
        return new Client(ClientConnection.of(request)::isClosedByClient);
    }

    /** Whether it has closed its connection. It may be asked often: it looks at most once in 100 ms. */
    public boolean hasLeft() {
        long now = System.nanoTime();
        long due = next.get();
        if (!hasLeft && now - due >= 0 && next.compareAndSet(due, now + INTERVAL.toNanos())) {
            hasLeft = isClosed.getAsBoolean();
        }
        return hasLeft;
    }

    /** Checks that it is still there. @throws GivenUpException if it has left */
    public void requirePresent() {
        if (hasLeft()) {
            throw new GivenUpException();
        }
    }
}
