package io.cordwood.ingest.runtime;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A group of clients that are opened together: if a later one cannot be opened, the earlier ones are closed, unless all
 * are kept. Not thread-safe.
 */
public final class OpenClients implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OpenClients.class);

    private final Deque<AutoCloseable> clients = new ArrayDeque<>();

    /** Adds a client and returns it. */
    public <T extends AutoCloseable> T add(T client) {
        clients.push(client);
        return client;
    }

    /** Releases all clients, which the caller must close. */
    public void keep() {
        clients.clear();
    }

    /** Closes the clients that were not kept, in reverse order. */
    @Override
    public void close() {
        while (!clients.isEmpty()) {
            AutoCloseable client = clients.pop();
            try {
                client.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (Exception e) {
                LOG.warn("Cannot close {}", client, e);
            }
        }
    }
}
