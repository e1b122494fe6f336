package io.cordwood.balancer.service;

import java.util.List;
import redis.clients.jedis.RedisClient;

/**
 * Who is the active balancer: a lease in Redis that runs out unless it is renewed. Thread-safe.
 *
 * <p>It is fenced: each time it is taken it has another holder's name, by a counter that only grows, and tables are
 * written only while that name stands in Redis, in the same step. So one that was leader and does not know yet that it
 * no longer is cannot write.
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
    /** What this balancer last stood in Redis as; its own even while Redis does not answer. */
    private String last = "";

    /**
     * A lease that is not held yet.
     *
     * @param name of this balancer, another for each process
     * @param ttlMillis how long it lasts without being renewed
     */
    Lease(RedisClient client, String name, long ttlMillis) {
        this.client = client;
        this.name = name;
        this.ttlMillis = ttlMillis;
    }

    /** Takes or renews it. @return whether this balancer holds it now */
    synchronized boolean take() {
        // Unknown until Redis has answered.
        holder = "";
        holder = client.eval(TAKE, List.of(KEY, FENCE_KEY), List.of(name, last, Long.toString(ttlMillis)))
                .toString();
        last = holder;
        return isHeld();
    }

    /** Whether it was held when last asked for. */
    boolean isHeld() {
        return !holder.isEmpty();
    }

    /** What stands in Redis while it is held. */
    String holder() {
        return holder;
    }

    /** Gives it up, so that another need not wait. */
    synchronized void release() {
        if (isHeld()) {
            client.eval(RELEASE, List.of(KEY), List.of(holder));
            holder = "";
        }
    }
}
