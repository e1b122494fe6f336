package io.cordwood.balancer.plan;

import java.util.Set;
import java.util.TreeSet;

/** Start of LogStore's Algorithms 2 and 3: partitions above their capacity, and their largest tenants. */
final class HotSpots {
    private static final double ROUNDING = 1 + 1e-9;

    private final Network network;
    private final Assignment flows;

    HotSpots(Network network, Assignment flows) {
        this.network = network;
        this.flows = flows;
    }

    /** Partitions above their capacity, and the most loaded one of each worker above its limit. */
    Set<Integer> partitions() {
        Set<Integer> hot = new TreeSet<>();
        for (int k = 0; k < network.workers(); k++) {
            int most = -1;
            for (int j : network.partitionsOf(k)) {
                if (flows.load(j) > network.capacity(j) * ROUNDING) {
                    hot.add(j);
                }
                if (most < 0 || flows.load(j) > flows.load(most)) {
                    most = j;
                }
            }
            if (most >= 0 && flows.workerLoad(k) > network.limit(k) * ROUNDING) {
                hot.add(most);
            }
        }
        return hot;
    }

    /** K_hot: the tenant with the most traffic of each hot partition, by falling demand. */
    Set<Integer> tenants() {
        Set<Integer> hot = partitions();
        int[] largest = new int[network.partitions()];
        double[] traffic = new double[network.partitions()];
        for (int i = 0; i < network.tenants(); i++) {
            for (int r = 0; r < flows.routes(i); r++) {
                int j = flows.partition(i, r);
                if (flows.flow(i, r) > traffic[j]) {
                    traffic[j] = flows.flow(i, r);
                    largest[j] = i;
                }
            }
        }
        Set<Integer> tenants = new TreeSet<>();
        for (int j : hot) {
            tenants.add(largest[j]);
        }
        return tenants;
    }
}
