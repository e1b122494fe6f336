package io.cordwood.hot.statistics;

import io.cordwood.logblock.schema.TimeRange;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The rows that a scan needs, as far as statistics can tell. Immutable.
 *
 * @param tenantId the tenant of a scan of one tenant's rows
 * @param tenants tests whether the scan needs a tenant's rows
 * @param time time range of the rows that the scan needs
 */
public record ScanBounds(Optional<String> tenantId, Predicate<String> tenants, TimeRange time) {
    /** Rows of one tenant. */
    public static ScanBounds of(String tenantId, TimeRange time) {
        return new ScanBounds(Optional.of(tenantId), tenantId::equals, time);
    }

    /** Rows of many tenants. */
    public static ScanBounds ofTenants(Predicate<String> tenants, TimeRange time) {
        return new ScanBounds(Optional.empty(), tenants, time);
    }

    /** The time range of the rows in a chunk that may match; empty if there are none. */
    Optional<TimeRange> times(Map<String, TenantRows> chunk) {
        if (tenantId.isPresent()) {
            return Optional.ofNullable(chunk.get(tenantId.get()))
                    .filter(this::isIn)
                    .map(ScanBounds::times);
        }
        return chunk.entrySet().stream()
                .filter(tenant -> isIn(tenant.getValue()) && tenants.test(tenant.getKey()))
                .map(tenant -> times(tenant.getValue()))
                .reduce((one, other) -> new TimeRange(
                        Math.min(one.fromMicros(), other.fromMicros()), Math.max(one.toMicros(), other.toMicros())));
    }

    private static TimeRange times(TenantRows rows) {
        return new TimeRange(rows.minMicros(), rows.maxMicros());
    }

    private boolean isIn(TenantRows rows) {
        return rows.minMicros() <= time.toMicros() && rows.maxMicros() >= time.fromMicros();
    }
}
