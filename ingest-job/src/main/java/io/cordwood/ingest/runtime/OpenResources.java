package io.cordwood.ingest.runtime;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Clients, threads and timers that are opened one after the other and closed together: if a later one cannot be opened,
 * the earlier ones are closed, unless all are kept. A failure to close one is logged. Not thread-safe.
 */
public final class OpenResources implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OpenResources.class);

    private final Deque<AutoCloseable> resources = new ArrayDeque<>();

    /** Adds a resource and returns it. */
    public <T extends AutoCloseable> T add(T resource) {
        resources.push(resource);
        return resource;
    }

    /** Releases all resources, which the caller must close. */
    public void keep() {
        resources.clear();
    }

    /** Closes the resources that were not kept, in reverse order. */
    @Override
    public void close() {
        while (!resources.isEmpty()) {
            AutoCloseable resource = resources.pop();
            try {
                resource.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (Exception e) {
                LOG.warn("Cannot close {}", resource, e);
            }
        }
    }
}
