package io.cordwood.balancer.plan;

/**
 * A planner that changes nothing, to show the load of the routes in force. Thread-safe. Tenants without a route bring
 * no load.
 */
public final class UnchangedPlanner implements Planner {
    @Override
    public Plan plan(PlanInput input) {
        Network network = new Network(input.cluster(), input.demands());
        double[] amounts = network.demands();
        Assignment flows = Assignment.of(network, amounts, input.before());
        return new PlanBuilder(network, input.before()).build(flows, amounts, new boolean[network.tenants()]);
    }
}
