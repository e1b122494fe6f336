package io.cordwood.balancer.plan;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A plan's input with numbers instead of names: tenants by falling demand, partitions by rising number. Immutable.
 *
 * <p>The numbering does not depend on the order of the input, so that the order cannot change a plan.
 */
final class Network {
    static final int NO_WORKER = -1;

    private final String[] tenants;
    private final double[] demands;
    private final int[] partitionNumbers;
    private final double[] partitionCapacities;
    private final int[] workerOf;
    private final String[] workers;
    private final double[] workerLimits;
    private final int[][] partitionsOf;
    private final Map<Integer, Integer> partitionIndex;
    private final double bound;

    Network(Cluster cluster, List<TenantDemand> tenantDemands) {
        TenantDemand[] sorted = tenantDemands.toArray(TenantDemand[]::new);
        Arrays.sort(
                sorted,
                Comparator.comparingDouble(TenantDemand::demand).reversed().thenComparing(TenantDemand::tenant));
        tenants = new String[sorted.length];
        demands = new double[sorted.length];
        for (int i = 0; i < sorted.length; i++) {
            tenants[i] = sorted[i].tenant();
            demands[i] = sorted[i].demand();
        }
        List<PartitionCapacity> partitions = cluster.partitions().stream()
                .sorted(Comparator.comparingInt(PartitionCapacity::partition))
                .toList();
        List<WorkerCapacity> servers = cluster.workers().stream()
                .sorted(Comparator.comparing(WorkerCapacity::worker))
                .toList();
        partitionNumbers =
                partitions.stream().mapToInt(PartitionCapacity::partition).toArray();
        partitionIndex = HashMap.newHashMap(partitionNumbers.length);
        for (int j = 0; j < partitionNumbers.length; j++) {
            partitionIndex.put(partitionNumbers[j], j);
        }
        workers = servers.stream().map(WorkerCapacity::worker).toArray(String[]::new);
        workerLimits = servers.stream()
                .mapToDouble(worker -> worker.capacity() * cluster.watermark())
                .toArray();
        workerOf = new int[partitionNumbers.length];
        Arrays.fill(workerOf, NO_WORKER);
        partitionsOf = new int[workers.length][];
        for (int k = 0; k < workers.length; k++) {
            partitionsOf[k] = servers.get(k).partitions().stream()
                    .mapToInt(partitionIndex::get)
                    .sorted()
                    .toArray();
            for (int j : partitionsOf[k]) {
                workerOf[j] = k;
            }
        }
        partitionCapacities = new double[partitionNumbers.length];
        for (int j = 0; j < partitionNumbers.length; j++) {
            boolean served = workerOf[j] != NO_WORKER && workerLimits[workerOf[j]] > 0;
            partitionCapacities[j] = served ? partitions.get(j).capacity() : 0;
        }
        bound = bound(partitionCapacities, partitionsOf, workerLimits);
    }

    /** The largest possible flow: every tenant may go to every partition, so only partitions and workers limit it. */
    private static double bound(double[] capacities, int[][] partitionsOf, double[] limits) {
        double sum = 0;
        for (int k = 0; k < limits.length; k++) {
            double through = 0;
            for (int j : partitionsOf[k]) {
                through += capacities[j];
            }
            sum += Math.min(limits[k], through);
        }
        return sum;
    }

    int tenants() {
        return tenants.length;
    }

    String tenant(int i) {
        return tenants[i];
    }

    double demand(int i) {
        return demands[i];
    }

    double[] demands() {
        return demands.clone();
    }

    double totalDemand() {
        return Arrays.stream(demands).sum();
    }

    int partitions() {
        return partitionNumbers.length;
    }

    int partitionNumber(int j) {
        return partitionNumbers[j];
    }

    /** The index of a partition's number; negative if there is no such partition. */
    int partitionIndex(int number) {
        return partitionIndex.getOrDefault(number, -1);
    }

    /** Capacity of the partition; 0 if no worker serves it. */
    double capacity(int j) {
        return partitionCapacities[j];
    }

    boolean isUsable(int j) {
        return partitionCapacities[j] > 0;
    }

    /** The worker that serves the partition, or {@link #NO_WORKER}. */
    int workerOf(int j) {
        return workerOf[j];
    }

    int workers() {
        return workers.length;
    }

    String worker(int k) {
        return workers[k];
    }

    /** Watermark times capacity. */
    double limit(int k) {
        return workerLimits[k];
    }

    /** Partitions of a worker; read-only. */
    int[] partitionsOf(int k) {
        return partitionsOf[k];
    }

    double bound() {
        return bound;
    }

    /** Growth of the cluster that a demand above the bound needs. */
    Scale scale(double demand) {
        double throughPartitions = Arrays.stream(partitionCapacities).sum();
        double throughWorkers = Arrays.stream(workerLimits).sum();
        int morePartitions = more(demand, throughPartitions, partitionNumbers.length);
        int moreWorkers = more(demand, throughWorkers, workers.length);
        // Both sums may suffice although some worker lacks partitions.
        if (morePartitions == 0 && moreWorkers == 0) {
            morePartitions = 1;
        }
        return new Scale(bound > 0 ? demand / bound : Double.POSITIVE_INFINITY, morePartitions, moreWorkers);
    }

    private static int more(double demand, double through, int count) {
        if (demand <= through) {
            return 0;
        }
        return through > 0 ? (int) Math.ceil((demand - through) / (through / count)) : 1;
    }
}
