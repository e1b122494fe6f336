package io.cordwood.balancer.plan;

import io.cordwood.routing.Route;
import java.util.List;

/**
 * What a plan says of a tenant. Immutable.
 *
 * @param demand what it wants to send
 * @param admitted what of it fits: its max-flow share; all of it unless the whole demand is more than the cluster takes
 * @param decision what the plan changed
 * @param routesBefore how many routes it had
 * @param routes where it goes, by rising partition; weights sum to 1
 */
public record TenantPlan(double demand, double admitted, Decision decision, int routesBefore, List<Route> routes) {
    public TenantPlan {
        routes = List.copyOf(routes);
    }

    /** Whether not all of the demand fits. */
    public boolean isLimited() {
        return admitted < demand;
    }
}
