package io.cordwood.routing;

import java.net.URI;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The routing tables in Redis: the current one of each stream under {@code cordwood:routes:<stream>}, announced on the
 * channel of the same name. Thread-safe.
 */
public final class RoutingTableStore implements AutoCloseable {
    public RoutingTableStore(URI redis) {}

    /** The current table of a stream, or empty if there is none yet. */
    public Optional<RoutingTable> read(String stream) {
        throw new UnsupportedOperationException();
    }

    /**
     * Makes a table the current one and announces it, in one step, unless one of the same or a later version is there.
     *
     * @return whether it became the current one
     */
    public boolean write(RoutingTable table) {
        throw new UnsupportedOperationException();
    }

    /**
     * Follows a stream's table: the listener gets the current one and then each later version, whole, in ascending
     * order, on a thread of the store's own. While Redis is away nothing comes; what was missed comes once it is back.
     */
    public AutoCloseable follow(String stream, Consumer<RoutingTable> listener) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
