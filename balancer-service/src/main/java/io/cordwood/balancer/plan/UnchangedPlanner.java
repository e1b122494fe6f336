package io.cordwood.balancer.plan;

/** Changes nothing: tells what load the routes in force bring. Thread-safe. Tenants without a route bring none. */
public final class UnchangedPlanner implements Planner {
    @Override
    public Plan plan(PlanInput input) {
        Network network = new Network(input.cluster(), input.demands());
        double[] amounts = network.demands();
        Assignment flows = Assignment.of(network, amounts, input.before());
        return new PlanBuilder(network, input.before()).build(flows, amounts, new boolean[network.tenants()]);
    }
}
