package io.cordwood.routing;

import java.net.SocketTimeoutException;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPubSub;

/**
 * A listener for the announcements of one stream, with a thread and a connection of its own. It reads the table after
 * each announcement, and after each (re)connection, because it may have missed an announcement until then. Thread-safe.
 */
final class RoutingTableFollower implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RoutingTableFollower.class);

    /** Time without an announcement after which it reconnects: the connection may be dead without a sign. */
    private static final int QUIET_MILLIS = 30_000;

    private static final long FIRST_PAUSE_MILLIS = 100;
    private static final long LONGEST_PAUSE_MILLIS = 5_000;

    private final URI redis;
    private final String stream;
    private final Supplier<Optional<RoutingTable>> source;
    private final Consumer<RoutingTable> listener;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;
    private volatile Jedis connection;
    /** The last table that the listener got; only the thread uses it. */
    private Optional<RoutingTable> last = Optional.empty();

    RoutingTableFollower(
            URI redis, String stream, Supplier<Optional<RoutingTable>> source, Consumer<RoutingTable> listener) {
        this.redis = redis;
        this.stream = stream;
        this.source = source;
        this.listener = listener;
        this.thread = new Thread(this::run, "cordwood-routes-" + stream);
        this.thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run() {
        long pause = FIRST_PAUSE_MILLIS;
        while (!isClosed()) {
            Subscription subscription = new Subscription();
            try {
                listen(subscription);
                pause = FIRST_PAUSE_MILLIS;
            } catch (RuntimeException e) {
                if (isClosed()) {
                    return;
                }
                if (subscription.confirmed) {
                    pause = FIRST_PAUSE_MILLIS;
                }
                if (!(e.getCause() instanceof SocketTimeoutException) || !subscription.confirmed) {
                    LOG.warn(
                            "Cannot read routing tables of stream '{}' from {}:{}, version {} stays in use; trying again: {}",
                            stream,
                            redis.getHost(),
                            redis.getPort(),
                            version(),
                            e.getMessage());
                    waitFor(pause);
                    pause = Math.min(LONGEST_PAUSE_MILLIS, 2 * pause);
                }
            }
        }
    }

    private void listen(Subscription subscription) {
        DefaultJedisClientConfig config = DefaultJedisClientConfig.builder()
                .connectionTimeoutMillis(RoutingTableStore.TIMEOUT_MILLIS)
                .socketTimeoutMillis(RoutingTableStore.TIMEOUT_MILLIS)
                .blockingSocketTimeoutMillis(QUIET_MILLIS)
                .build();
        try (Jedis jedis = new Jedis(redis, config)) {
            connection = jedis;
            if (!isClosed()) {
                jedis.subscribe(subscription, RoutingTableStore.key(stream));
            }
        } finally {
            connection = null;
        }
    }

    private final class Subscription extends JedisPubSub {
        private boolean confirmed;

        @Override
        public void onSubscribe(String channel, int subscribedChannels) {
            confirmed = true;
            pass();
        }

        @Override
        public void onMessage(String channel, String message) {
            pass();
        }
    }

    /** Reads the current table and passes it to the listener if it is new. */
    private void pass() {
        Optional<RoutingTable> table;
        try {
            table = source.get();
        } catch (IllegalArgumentException e) {
            LOG.error("Cannot read the routing table of stream '{}'; version {} stays in use", stream, version(), e);
            return;
        }
        if (table.isPresent() && !isClosed() && (last.isEmpty() || table.get().replaces(last.get()))) {
            last = table;
            listener.accept(table.get());
        }
    }

    private long version() {
        return last.map(RoutingTable::version).orElse(0L);
    }

    private boolean isClosed() {
        return closed.getCount() == 0;
    }

    private void waitFor(long millis) {
        try {
            if (closed.await(millis, TimeUnit.MILLISECONDS)) {
                LOG.debug("Stopped following stream '{}'", stream);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            closed.countDown();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        Jedis current = connection;
        if (current != null) {
            // Wakes the thread up from its read.
            current.disconnect();
        }
    }
}
