package io.cordwood.hot.statistics;

import io.cordwood.logblock.TimeRange;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Which rows a scan wants, as far as statistics can tell. Immutable.
 *
 * @param tenantId the tenant of a scan of one tenant's rows
 * @param tenants whose rows are wanted
 * @param time times of the rows that are wanted
 */
public record RowsWanted(Optional<String> tenantId, Predicate<String> tenants, TimeRange time) {
    /** Rows of one tenant. */
    public static RowsWanted of(String tenantId, TimeRange time) {
        return new RowsWanted(Optional.of(tenantId), tenantId::equals, time);
    }

    /** Rows of many tenants. */
    public static RowsWanted ofTenants(Predicate<String> tenants, TimeRange time) {
        return new RowsWanted(Optional.empty(), tenants, time);
    }

    boolean isAnyIn(Map<String, TenantRows> chunk) {
        if (tenantId.isPresent()) {
            TenantRows rows = chunk.get(tenantId.get());
            return rows != null && isIn(rows);
        }
        return chunk.entrySet().stream().anyMatch(tenant -> isIn(tenant.getValue()) && tenants.test(tenant.getKey()));
    }

    private boolean isIn(TenantRows rows) {
        return rows.minMicros() <= time.toMicros() && rows.maxMicros() >= time.fromMicros();
    }
}
