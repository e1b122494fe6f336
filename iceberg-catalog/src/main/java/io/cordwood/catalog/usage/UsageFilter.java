package io.cordwood.catalog.usage;

import java.util.Set;

/**
 * Which usage is asked for. Immutable.
 *
 * @param fromHour first UTC hour, hours since the epoch
 * @param toHour first hour past the last
 * @param tenantIds the tenants; empty for all that the caller sees
 */
public record UsageFilter(long fromHour, long toHour, Set<String> tenantIds) {
    /** All that there is. */
    public static final UsageFilter ALL = new UsageFilter(0, Long.MAX_VALUE, Set.of());

    public UsageFilter {
        tenantIds = Set.copyOf(tenantIds);
    }

    /** The same from an hour on. */
    public UsageFilter from(long hour) {
        return new UsageFilter(hour, toHour, tenantIds);
    }
}
