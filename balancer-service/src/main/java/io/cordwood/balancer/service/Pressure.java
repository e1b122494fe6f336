package io.cordwood.balancer.service;

import java.util.HashMap;
import java.util.Map;

/**
 * Which tenants press against their quotas, and which may be silent only because Kafka keeps them so. Not thread-safe.
 *
 * <p>Kafka lets who has sent too much send nothing until its mean since then is what its quota says: ten seconds at ten times the
 * quota cost a hundred seconds, and a large request has its price too. Such a tenant looks as if it wanted nothing. If it were let go for
 * that, it would send all it wants once it may again, and pay for that with a longer silence yet.
 */
final class Pressure {
    /** A tenant that sends less of its quota is not held back by it any more. */
    private static final double PRESSING = 0.8;
    /** How far Kafka looks back: {@code quota.window.num} times {@code quota.window.size.seconds}, as they are by default. */
    private static final long KAFKA_MILLIS = 11_000;

    private final long settleMillis;
    private final long countedMillis;
    private Map<String, Standing> standing = Map.of();
    private boolean isCurrent;
    private long atMillis;

    /**
     * A held tenant.
     *
     * @param pressedMillis when it last pressed, or was first seen to be held
     * @param muteMillis how long Kafka may make it wait for what it had sent by then
     * @param silent whether nothing is seen of it
     */
    private record Standing(long pressedMillis, long muteMillis, boolean silent) {}

    /** @param windowMillis time that rates are means over; reports may be as old */
    Pressure(long windowMillis) {
        this.settleMillis = 2 * windowMillis;
        this.countedMillis = Math.max(KAFKA_MILLIS, windowMillis);
    }

    /**
     * Takes note of what held tenants send. Rates are in bytes of values per second.
     *
     * @param held the most that each was seen to want
     * @param quotas what each may send
     * @param seen what each is seen to send; not there if nothing
     * @param current whether that was sent lately; if not, it says nothing
     */
    void observe(
            Map<String, Double> held,
            Map<String, Double> quotas,
            Map<String, Double> seen,
            boolean current,
            long nowMillis) {
        Map<String, Standing> now = new HashMap<>();
        held.forEach((tenant, wanted) -> {
            Double quota = quotas.get(tenant);
            if (quota == null) {
                return;
            }
            Standing before = standing.get(tenant);
            double rate = seen.getOrDefault(tenant, 0.0);
            boolean presses = before == null || (current && rate >= PRESSING * quota);
            long mute = Math.round(countedMillis * Math.max(wanted, rate) / quota);
            now.put(
                    tenant,
                    presses
                            ? new Standing(nowMillis, mute, rate == 0)
                            : new Standing(before.pressedMillis(), before.muteMillis(), rate == 0));
        });
        standing = now;
        isCurrent = current;
        atMillis = nowMillis;
    }

    /** Whether the quota may be what holds the tenant back. What is seen is a mean, so a moment of less says nothing. */
    boolean isPressing(String tenant) {
        Standing held = standing.get(tenant);
        return held != null && (!isCurrent || atMillis - held.pressedMillis() < settleMillis);
    }

    /** Whether what is seen of a held tenant may not be what it wants, as Kafka makes it wait. */
    boolean mayBeMuted(String tenant) {
        Standing held = standing.get(tenant);
        return held != null && held.silent() && atMillis - held.pressedMillis() < settleMillis + held.muteMillis();
    }
}
