package io.cordwood.routing;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import redis.clients.jedis.RedisClient;

/**
 * The lease of the one active process among several: an entry in Redis that expires unless it is renewed. Thread-safe.
 *
 * <p>The lease is fenced. Each acquisition uses a new holder's name, which ends with a number from a counter that only
 * grows. Who writes for the holder names it, and the store accepts only the present holder, or no number below the
 * greatest that it has seen. So a former holder that does not know of its loss yet cannot write.
 */
public final class Lease {
    private static final String TAKE = """
            local holder = redis.call('GET', KEYS[1])
            if holder and holder ~= ARGV[2] then
              return ''
            end
            if holder then
              redis.call('PEXPIRE', KEYS[1], ARGV[3])
              return holder
            end
            local name = ARGV[1] .. '#' .. redis.call('INCR', KEYS[2])
            redis.call('SET', KEYS[1], name, 'PX', ARGV[3])
            return name
            """;

    private static final String RELEASE = """
            if redis.call('GET', KEYS[1]) == ARGV[1] then
              redis.call('DEL', KEYS[1])
            end
            return 1
            """;

    private static final String RAISE = """
            local fence = tonumber(redis.call('GET', KEYS[1]) or '0')
            if fence < tonumber(ARGV[1]) then
              redis.call('SET', KEYS[1], ARGV[1])
            end
            return 1
            """;

    /**
     * An acquisition.
     *
     * @param fence its number; 0 for none
     * @param end when it ends unless it is renewed, by {@link System#nanoTime}, counted from before Redis was asked
     */
    private record Held(long fence, long end) {
        private static final Held NOT = new Held(0, 0);
    }

    private final RedisClient client;
    private final String key;
    private final String fenceKey;
    private final String name;
    private final Duration duration;
    private volatile String holder = "";
    /** What Redis has answered last; unlike the holder it stays while Redis is asked again. */
    private volatile Held held = Held.NOT;
    /** The last holder's name of this process in Redis; still its own while Redis does not answer. */
    private String last = "";

    /**
     * A lease that is not held yet.
     *
     * @param client Redis; the caller closes it
     * @param key key of the lease, such as {@code cordwood:balancer:lease}
     * @param fenceKey key of the counter
     * @param name name of this process, different for each
     * @param duration how long it lasts without renewal
     */
    public Lease(RedisClient client, String key, String fenceKey, String name, Duration duration) {
        this.client = requireNonNull(client, "client is null");
        this.key = requireNonNull(key, "key is null");
        this.fenceKey = requireNonNull(fenceKey, "fenceKey is null");
        this.name = requireNonNull(name, "name is null");
        this.duration = requireNonNull(duration, "duration is null");
    }

    /** Acquires or renews it. @return whether this process holds it now */
    public synchronized boolean take() {
        // Unknown until Redis has answered.
        holder = "";
        long asked = System.nanoTime();
        String taken = client.eval(
                        TAKE, List.of(key, fenceKey), List.of(name, last, Long.toString(duration.toMillis())))
                .toString();
        held = taken.isEmpty() ? Held.NOT : new Held(fence(taken), asked + duration.toNanos());
        holder = taken;
        last = taken;
        return isHeld();
    }

    /** Whether it was held at the last attempt. */
    public boolean isHeld() {
        return !holder.isEmpty();
    }

    /** The time for which it is still held by this process's clock, whether Redis answers or not; zero if it is not. */
    public Duration remaining() {
        Held present = held;
        long nanos = present.end() - System.nanoTime();
        return present.fence() != 0 && nanos > 0 ? Duration.ofNanos(nanos) : Duration.ZERO;
    }

    /** The value in Redis while it is held. */
    public String holder() {
        return holder;
    }

    /** The number of this acquisition, greater than that of every former one; 0 if it is not held. */
    public long fence() {
        return held.fence();
    }

    private static long fence(String holder) {
        return Long.parseLong(holder.substring(holder.lastIndexOf('#') + 1));
    }

    /**
     * Makes later acquisitions have numbers above this one: for a store that remembers a greater number than Redis,
     * which may have lost its data.
     */
    public void raiseFence(long atLeast) {
        client.eval(RAISE, List.of(fenceKey), List.of(Long.toString(atLeast)));
    }

    /** Releases it, so that another process need not wait. */
    public synchronized void release() {
        if (isHeld()) {
            client.eval(RELEASE, List.of(key), List.of(holder));
            holder = "";
            held = Held.NOT;
        }
    }
}
