package io.cordwood.balancer.service;

import java.util.HashMap;
import java.util.Map;

/**
 * Which tenants press against their quotas, and which may be silent only because Kafka keeps them so. Not thread-safe.
 *
 * <p>Kafka lets who has sent too much send nothing until its mean since then is what its quota says: ten seconds at ten
 * times the quota cost a hundred seconds, and a large request has its price too. Such a tenant looks as if it wanted
 * nothing. If it were let go for that, it would send all it wants once it may again, and pay for that with a longer
 * silence yet.
 */
final class Pressure {
    /** A tenant that sends less of its quota is not held back by it any more. */
    private static final double PRESSING = 0.8;
    /**
     * How far Kafka looks back: {@code quota.window.num} times {@code quota.window.size.seconds}, as they are by
     * default.
     */
    private static final long KAFKA_MILLIS = 11_000;

    private final long settleMillis;
    private final long countedMillis;
    private Map<String, Standing> standing = Map.of();
    private long at;

    /**
     * A held tenant.
     *
     * @param heldMillis when it was first seen to be held
     * @param pressedMillis when it last pressed, or was first seen to be held
     * @param muteMillis how long Kafka may make it wait for what it had sent by then
     * @param silent whether nothing is seen of it
     */
    private record Standing(long heldMillis, long pressedMillis, long muteMillis, boolean silent) {}

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
     * @param taken what is taken in of each; not there if nothing
     * @param ticks when, milliseconds that go on evenly
     */
    void observe(Map<String, Double> held, Map<String, Double> quotas, Map<String, Double> taken, long ticks) {
        Map<String, Standing> now = new HashMap<>();
        held.forEach((tenant, wanted) -> {
            Double quota = quotas.get(tenant);
            if (quota == null) {
                return;
            }
            Standing before = standing.get(tenant);
            double rate = taken.getOrDefault(tenant, 0.0);
            boolean presses = before == null || rate >= PRESSING * quota;
            long mute = Math.round(countedMillis * Math.max(wanted, rate) / quota);
            long since = before == null ? ticks : before.heldMillis();
            now.put(
                    tenant,
                    presses
                            ? new Standing(since, ticks, mute, rate == 0)
                            : new Standing(since, before.pressedMillis(), before.muteMillis(), rate == 0));
        });
        standing = now;
        at = ticks;
    }

    /**
     * Whether the quota may be what holds the tenant back. What is seen is a mean, so a moment of less says nothing.
     */
    boolean isPressing(String tenant) {
        Standing held = standing.get(tenant);
        return held != null && at - held.pressedMillis() < settleMillis;
    }

    /** Whether what is seen of a held tenant may not be what it wants, as Kafka makes it wait. */
    boolean mayBeMuted(String tenant) {
        Standing held = standing.get(tenant);
        return held != null && held.silent() && at - held.pressedMillis() < settleMillis + held.muteMillis();
    }

    /**
     * Who pressed when last looked at, all together; none while one of them has not been held for so long that what it
     * sent before does not count any more.
     *
     * @param quotas bytes per second as sent
     * @param taken bytes of values per second of all tenants
     */
    SentSize.Pressing together(Map<String, Double> quotas, Map<String, Double> taken) {
        double allowed = 0;
        double others = 0;
        for (Map.Entry<String, Double> tenant : taken.entrySet()) {
            others += isPressing(tenant.getKey()) ? 0 : tenant.getValue();
        }
        for (Map.Entry<String, Standing> tenant : standing.entrySet()) {
            if (isPressing(tenant.getKey())) {
                if (at - tenant.getValue().heldMillis() < settleMillis + countedMillis) {
                    return SentSize.Pressing.NONE;
                }
                allowed += quotas.getOrDefault(tenant.getKey(), 0.0);
            }
        }
        return new SentSize.Pressing(allowed, others);
    }
}
