package io.cordwood.balancer.plan;

import io.cordwood.routing.Route;
import java.util.List;

/**
 * A tenant's part of a plan. Immutable.
 *
 * @param demand rate that it demands
 * @param admitted the part of it that fits: all of it, unless the whole demand exceeds the cluster's capacity
 * @param decision change to its routes
 * @param routesBefore its previous number of routes
 * @param routes its routes, by rising partition; weights sum to 1
 */
public record TenantPlan(double demand, double admitted, Decision decision, int routesBefore, List<Route> routes) {
    public TenantPlan {
        routes = List.copyOf(routes);
    }

    /** Whether part of the demand does not fit. */
    public boolean isLimited() {
        return admitted < demand;
    }
}
