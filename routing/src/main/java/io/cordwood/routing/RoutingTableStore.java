package io.cordwood.routing;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import redis.clients.jedis.RedisClient;

/**
 * The store of routing tables in Redis: the current one of each stream has the key {@code cordwood:routes:<stream>},
 * and the channel of the same name announces its version. Thread-safe.
 *
 * <p>{@link #read} and {@link #write} throw {@link redis.clients.jedis.exceptions.JedisException} while Redis is away;
 * {@link #follow} waits for it.
 */
public final class RoutingTableStore implements AutoCloseable {
    static final int TIMEOUT_MILLIS = 2_000;

    private static final String KEY_PREFIX = "cordwood:routes:";

    /**
     * Sets and announces a table, unless the present one has another epoch or the same or a later version, or the lease
     * has another holder.
     */
    private static final String WRITE = """
            if KEYS[2] and redis.call('GET', KEYS[2]) ~= ARGV[4] then
              return 0
            end
            local current = redis.call('GET', KEYS[1])
            if current then
              local ok, table = pcall(cjson.decode, current)
              if ok and type(table) == 'table' and type(table.version) == 'number'
                  and ((table.epoch or '') ~= ARGV[3] or table.version >= tonumber(ARGV[1])) then
                return 0
              end
            end
            redis.call('SET', KEYS[1], ARGV[2])
            redis.call('PUBLISH', KEYS[1], ARGV[1])
            return 1
            """;

    private final URI redis;
    private final RedisClient client;
    private final Set<RoutingTableFollower> followers = ConcurrentHashMap.newKeySet();

    /**
     * Creates a store in a Redis server; connects on first use.
     *
     * @param redis for example {@code redis://127.0.0.1:6379}; may include user, password and database
     */
    public RoutingTableStore(URI redis) {
        this.redis = redis;
        this.client = RedisClient.create(redis);
    }

    static String key(String stream) {
        return KEY_PREFIX + stream;
    }

    /** The current table of a stream; empty if there is none yet. */
    public Optional<RoutingTable> read(String stream) {
        return Optional.ofNullable(client.get(key(stream))).map(RoutingTableParser::fromJson);
    }

    /**
     * Makes a table the current one and announces it in one atomic step, unless the present one has the same or a later
     * version or another epoch.
     *
     * @return whether it became the current one
     */
    public boolean write(RoutingTable table) {
        return write(List.of(key(table.stream())), arguments(table));
    }

    /**
     * Like {@link #write(RoutingTable)}, but only while a lease is held; checks the lease in the same atomic step.
     *
     * @param leaseKey key in the same Redis
     * @param holder value of that key while the lease is held
     * @return whether it became the current one
     */
    public boolean write(RoutingTable table, String leaseKey, String holder) {
        List<String> arguments = new ArrayList<>(arguments(table));
        arguments.add(holder);
        return write(List.of(key(table.stream()), leaseKey), arguments);
    }

    private static List<String> arguments(RoutingTable table) {
        return List.of(Long.toString(table.version()), RoutingTableParser.toJson(table), table.epoch());
    }

    private boolean write(List<String> keys, List<String> arguments) {
        return Long.valueOf(1).equals(client.eval(WRITE, keys, arguments));
    }

    /**
     * Follows a stream's table. On a thread of the store, the listener gets the current table and then later versions,
     * each whole, in ascending order within an epoch. It may skip versions that come in quick succession. While Redis
     * is away it gets nothing; it gets the missed table once Redis is back.
     *
     * @return handle that ends the following when closed
     */
    public AutoCloseable follow(String stream, Consumer<RoutingTable> listener) {
        RoutingTableFollower follower = new RoutingTableFollower(redis, stream, () -> read(stream), listener);
        followers.add(follower);
        follower.start();
        return () -> {
            follower.close();
            followers.remove(follower);
        };
    }

    @Override
    public void close() {
        followers.forEach(RoutingTableFollower::close);
        client.close();
    }
}
