package io.cordwood.catalog.usage;

import java.util.Set;

/**
 * A filter for usage. Immutable.
 *
 * @param fromHour first UTC hour, hours since the epoch
 * @param toHour first hour past the last
 * @param tenantIds the tenants; empty for all that are visible to the caller
 */
public record UsageFilter(long fromHour, long toHour, Set<String> tenantIds) {
    /** All usage. */
    public static final UsageFilter ALL = new UsageFilter(0, Long.MAX_VALUE, Set.of());

    public UsageFilter {
        tenantIds = Set.copyOf(tenantIds);
    }

    /** A copy that starts at this hour. */
    public UsageFilter from(long hour) {
        return new UsageFilter(hour, toHour, tenantIds);
    }
}
