package io.cordwood.catalog.tenant;

import java.util.List;
import java.util.OptionalLong;

/**
 * A registered deletion of a tenant. Immutable.
 *
 * @param tenantId the tenant; it may be registered again meanwhile, which the deletion does not affect
 * @param startedMillis time of the request, in epoch milliseconds
 * @param locations directories of its tables' objects
 * @param completedMillis when its objects were first found gone, in epoch milliseconds; empty while there may be some
 */
public record TenantDeletion(
        String tenantId, long startedMillis, List<String> locations, OptionalLong completedMillis) {
    public TenantDeletion {
        locations = List.copyOf(locations);
    }

    /** Whether its tables and objects are gone. */
    public boolean isComplete() {
        return completedMillis.isPresent();
    }
}
