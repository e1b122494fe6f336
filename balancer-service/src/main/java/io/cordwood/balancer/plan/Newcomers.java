package io.cordwood.balancer.plan;

/** Places tenants that have no usable route: each whole, on the partition with the most headroom. Not thread-safe. */
final class Newcomers {
    private final Network network;
    private final Assignment flows;

    Newcomers(Network network, Assignment flows) {
        this.network = network;
        this.flows = flows;
    }

    /**
     * Places them. Flow that other tenants lost with a partition goes to the rest of their own routes.
     *
     * @param changed set for tenants that get other routes
     */
    void place(double[] amounts, boolean[] changed) {
        Headroom headroom = new Headroom(network, flows, Goal.even(network, 1));
        for (int i = 0; i < network.tenants(); i++) {
            if (flows.routes(i) == 0) {
                int best = headroom.best();
                if (best >= 0) {
                    flows.add(i, best, amounts[i]);
                    headroom.changed(best);
                    changed[i] = true;
                }
            } else if (flows.flow(i) < amounts[i] * (1 - 1e-9)) {
                double factor = flows.flow(i);
                for (int r = 0; r < flows.routes(i); r++) {
                    flows.setFlow(
                            i, r, factor > 0 ? flows.flow(i, r) * amounts[i] / factor : amounts[i] / flows.routes(i));
                    headroom.changed(flows.partition(i, r));
                }
                changed[i] = true;
            }
        }
    }
}
