package io.cordwood.balancer.service;

import java.util.HashMap;
import java.util.Map;

/**
 * The tenants that press against their quotas, and those that may be silent only because Kafka mutes them. Not
 * thread-safe.
 *
 * <p>Kafka mutes a client that has sent too much until its mean since then is down to its quota: ten seconds at ten
 * times the quota cost a hundred seconds, and a large request also has its price. Such a tenant seems to demand
 * nothing. If it were released for that, it would send its whole demand once it may again, and pay with an even longer
 * silence.
 */
final class Pressure {
    /** A tenant that sends less of its quota is no longer limited by it. */
    private static final double PRESSING = 0.8;
    /**
     * The time over which Kafka averages: the defaults of {@code quota.window.num} and {@code
     * quota.window.size.seconds}, multiplied.
     */
    private static final long KAFKA_MILLIS = 11_000;

    private final long settleMillis;
    private final long countedMillis;
    private Map<String, Standing> standing = Map.of();
    private long at;

    /**
     * A throttled tenant.
     *
     * @param heldMillis time of the first observation as throttled
     * @param pressedMillis time of its last pressing, or of the first observation
     * @param muteMillis how long Kafka may mute it for its traffic up to then
     * @param silent whether no traffic of it is observed
     */
    private record Standing(long heldMillis, long pressedMillis, long muteMillis, boolean silent) {}

    /** @param windowMillis time over which rates are means; reports may be that old */
    Pressure(long windowMillis) {
        this.settleMillis = 2 * windowMillis;
        this.countedMillis = Math.max(KAFKA_MILLIS, windowMillis);
    }

    /**
     * Records the traffic of throttled tenants. Rates are in bytes of values per second.
     *
     * @param held highest observed demand of each
     * @param quotas rate that each may send
     * @param taken consumed rate of each; absent if none
     * @param ticks monotonic time, milliseconds
     */
    void observe(Map<String, Double> held, Map<String, Double> quotas, Map<String, Double> taken, long ticks) {
        Map<String, Standing> now = new HashMap<>();
        held.forEach((tenant, demand) -> {
            Double quota = quotas.get(tenant);
            if (quota == null) {
                return;
            }
            Standing before = standing.get(tenant);
            double rate = taken.getOrDefault(tenant, 0.0);
            boolean presses = before == null || rate >= PRESSING * quota;
            long mute = Math.round(countedMillis * Math.max(demand, rate) / quota);
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
     * Whether the quota may limit the tenant. The observed rate is a mean, so a short drop means nothing.
     */
    boolean isPressing(String tenant) {
        Standing held = standing.get(tenant);
        return held != null && at - held.pressedMillis() < settleMillis;
    }

    /** Whether the observed rate of a throttled tenant may be below its demand because Kafka mutes it. */
    boolean mayBeMuted(String tenant) {
        Standing held = standing.get(tenant);
        return held != null && held.silent() && at - held.pressedMillis() < settleMillis + held.muteMillis();
    }

    /**
     * The tenants that pressed at the last observation, added up; none until each has been throttled so long that its
     * earlier traffic no longer counts.
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
