package io.cordwood.search.loki;

import io.cordwood.search.http.ApiException;
import io.cordwood.search.http.Failures;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.util.Blocker;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.core.CloseStatus;
import org.eclipse.jetty.websocket.core.CoreSession;
import org.eclipse.jetty.websocket.core.Frame;
import org.eclipse.jetty.websocket.core.FrameHandler;
import org.eclipse.jetty.websocket.core.OpCode;

/** A WebSocket that only sends. Each has a virtual thread, which waits while the client is slow. Thread-safe. */
final class TailSocket implements FrameHandler {
    /** A client that answers no ping for so long has gone. */
    private static final Duration IDLE = Duration.ofSeconds(60);

    private static final int MAX_REASON_LENGTH = 100;

    /** What is sent. */
    @FunctionalInterface
    interface Sender {
        /**
         * Sends until the client has gone.
         *
         * @throws IOException if the client has gone
         */
        void send(TailSocket socket) throws IOException, InterruptedException;
    }

    private final Sender sender;
    private final CompletableFuture<CoreSession> session = new CompletableFuture<>();

    TailSocket(Sender sender) {
        this.sender = sender;
    }

    @Override
    public void onOpen(CoreSession opened, Callback callback) {
        opened.setIdleTimeout(IDLE);
        session.complete(opened);
        callback.succeeded();
        opened.demand();
        Thread.ofVirtual().name("loki-tail").start(this::run);
    }

    private void run() {
        try {
            sender.send(this);
        } catch (IOException e) {
            session.join().abort();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            session.join().abort();
        } catch (RuntimeException e) {
            ApiException error = Failures.of(e);
            String reason = error.getMessage();
            session.join()
                    .close(
                            error.status() < 500 ? CloseStatus.POLICY_VIOLATION : CloseStatus.SERVER_ERROR,
                            reason.substring(0, Math.min(MAX_REASON_LENGTH, reason.length())),
                            Callback.NOOP);
        }
    }

    /** Sends a message, and waits until the client has it. @throws IOException if the client has gone */
    void send(String message) throws IOException {
        send(new Frame(OpCode.TEXT, message));
    }

    /** Finds out whether the client is there. @throws IOException if it has gone */
    void ping() throws IOException {
        send(new Frame(OpCode.PING));
    }

    private void send(Frame frame) throws IOException {
        CoreSession open = session.join();
        if (!open.isOutputOpen()) {
            throw new IOException("The client has closed the tail");
        }
        try (Blocker.Callback sent = Blocker.callback()) {
            open.sendFrame(frame, sent, false);
            sent.block();
        }
    }

    @Override
    public void onFrame(Frame frame, Callback callback) {
        CoreSession open = session.join();
        switch (frame.getOpCode()) {
            case OpCode.PING ->
                // No more before the answer is sent: a client that does not read must not fill the memory
                open.sendFrame(
                        new Frame(OpCode.PONG, frame.getPayload()),
                        Callback.from(
                                () -> {
                                    callback.succeeded();
                                    open.demand();
                                },
                                callback::failed),
                        false);
            case OpCode.CLOSE -> open.close(CloseStatus.NORMAL, "", callback);
            default -> {
                // A client has nothing to say
                callback.succeeded();
                open.demand();
            }
        }
    }

    @Override
    public void onError(Throwable cause, Callback callback) {
        callback.succeeded();
    }

    @Override
    public void onClosed(CloseStatus status, Callback callback) {
        callback.succeeded();
    }
}
