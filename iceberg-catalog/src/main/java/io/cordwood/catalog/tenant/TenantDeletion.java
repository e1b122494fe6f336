package io.cordwood.catalog.tenant;

import java.util.List;
import java.util.OptionalLong;

/**
 * A tenant that is being deleted, as the registry knows it. Immutable.
 *
 * @param tenantId the tenant; it may be registered anew meanwhile, which this does not touch
 * @param startedMillis when it was asked for, in epoch milliseconds
 * @param locations under which the objects of its tables lie
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
