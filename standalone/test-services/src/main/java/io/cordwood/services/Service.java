package io.cordwood.services;

import java.io.IOException;

/**
 * A real service for one test, with its own data. It runs from its creation on. Closing it ends it and removes its
 * data. For one thread at a time.
 */
public abstract class Service implements AutoCloseable {
    private final Protocol protocol;
    private final String host;
    private final int port;

    Service(Protocol protocol, String host, int port) {
        this.protocol = protocol;
        this.host = host;
        this.port = port;
    }

    /** Its address, {@code host:port}; the same after a restart. */
    public String address() {
        return host + ":" + port;
    }

    /** The URL for clients of this kind of service, such as {@code redis://host:port}. */
    public String url() {
        return protocol.url(address());
    }

    /** Kills it like {@code kill -9}, and returns when it has ended. Its data stay. */
    public abstract void kill() throws IOException, InterruptedException;

    /**
     * Restarts it at the same address with its data, and returns when it answers.
     *
     * @throws IllegalStateException if it runs, or ends instead of answering; the message holds its log
     */
    public final void restart() throws IOException, InterruptedException {
        if (isRunning()) {
            throw new IllegalStateException("%s at %s runs: kill it first".formatted(protocol, address()));
        }
        startAgain();
        awaitAnswer();
    }

    /** Suspends it like SIGSTOP: connections stay open without answers. It must be running. */
    public abstract void suspend() throws IOException, InterruptedException;

    /** Resumes it after {@link #suspend}. */
    public abstract void resume() throws IOException, InterruptedException;

    /** Its log so far. */
    public abstract String log() throws IOException;

    @Override
    public abstract void close() throws IOException;

    abstract boolean isRunning();

    abstract void startAgain() throws IOException;

    final void awaitAnswer() throws IOException, InterruptedException {
        Waiting.until("%s at %s answers".formatted(protocol, address()), () -> {
            if (!isRunning()) {
                throw new IllegalStateException("%s has ended instead of answering:%n%s".formatted(protocol, log()));
            }
            return protocol.answers(host, port);
        });
    }
}
