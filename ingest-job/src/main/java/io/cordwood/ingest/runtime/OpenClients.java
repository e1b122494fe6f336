package io.cordwood.ingest.runtime;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Clients that are opened together: if a later one cannot be opened, those before are closed, unless all are kept. Not
 * thread-safe.
 */
public final class OpenClients implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OpenClients.class);

    private final Deque<AutoCloseable> clients = new ArrayDeque<>();

    /** Takes a client in and returns it. */
    public <T extends AutoCloseable> T add(T client) {
        clients.push(client);
        return client;
    }

    /** Leaves all clients to someone else to close. */
    public void keep() {
        clients.clear();
    }

    /** Closes the clients that were not kept, the last one first. */
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
