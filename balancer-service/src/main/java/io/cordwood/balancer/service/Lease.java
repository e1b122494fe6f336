package io.cordwood.balancer.service;

import java.util.List;
import redis.clients.jedis.RedisClient;

/**
 * The lease of the active balancer: an entry in Redis that expires unless it is renewed. Thread-safe.
 *
 * <p>The lease is fenced. Each acquisition uses a new holder's name from a counter that only grows, and a table is
 * written only if that name is in Redis, in one atomic step. So a former leader that does not know of its loss yet
 * cannot write.
 */
final class Lease {
    static final String KEY = "cordwood:balancer:lease";
    private static final String FENCE_KEY = "cordwood:balancer:fence";

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

    private final RedisClient client;
    private final String name;
    private final long ttlMillis;
    private volatile String holder = "";
    /** The last holder's name of this balancer in Redis; still its own while Redis does not answer. */
    private String last = "";

    /**
     * A lease that is not held yet.
     *
     * @param name name of this balancer, different for each process
     * @param ttlMillis how long it lasts without renewal
     */
    Lease(RedisClient client, String name, long ttlMillis) {
        this.client = client;
        this.name = name;
        this.ttlMillis = ttlMillis;
    }

    /** Acquires or renews it. @return whether this balancer holds it now */
    synchronized boolean take() {
        // Unknown until Redis has answered.
        holder = "";
        holder = client.eval(TAKE, List.of(KEY, FENCE_KEY), List.of(name, last, Long.toString(ttlMillis)))
                .toString();
        last = holder;
        return isHeld();
    }

    /** Whether it was held at the last attempt. */
    boolean isHeld() {
        return !holder.isEmpty();
    }

    /** The value in Redis while it is held. */
    String holder() {
        return holder;
    }

    /** Releases it, so that another balancer need not wait. */
    synchronized void release() {
        if (isHeld()) {
            client.eval(RELEASE, List.of(KEY), List.of(holder));
            holder = "";
        }
    }
}
