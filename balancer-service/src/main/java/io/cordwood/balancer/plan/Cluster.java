package io.cordwood.balancer.plan;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The right half of the flow network: partitions, the workers that serve them, and the watermark. Immutable.
 *
 * <p>Partitions and workers may differ in capacity. A partition that no worker serves takes nothing.
 *
 * @param partitions all partitions of the stream, each once
 * @param workers all workers, each once
 * @param watermark alpha: the share of a worker's capacity that a plan may use, above 0 and at most 1
 */
public record Cluster(List<PartitionCapacity> partitions, List<WorkerCapacity> workers, double watermark) {
    public Cluster {
        partitions = List.copyOf(partitions);
        workers = List.copyOf(workers);
        if (!(watermark > 0 && watermark <= 1)) {
            throw new IllegalArgumentException("The watermark must be above 0 and at most 1, but is " + watermark);
        }
        Set<Integer> known = new HashSet<>();
        for (PartitionCapacity partition : partitions) {
            if (!known.add(partition.partition())) {
                throw new IllegalArgumentException("Partition %d occurs twice".formatted(partition.partition()));
            }
        }
        if (known.isEmpty()) {
            throw new IllegalArgumentException("A plan needs at least one partition");
        }
        checkWorkers(workers, known);
    }

    private static void checkWorkers(List<WorkerCapacity> workers, Set<Integer> known) {
        Set<String> names = new HashSet<>();
        Map<Integer, String> servers = new HashMap<>();
        for (WorkerCapacity worker : workers) {
            if (!names.add(worker.worker())) {
                throw new IllegalArgumentException("Worker '%s' occurs twice".formatted(worker.worker()));
            }
            for (int partition : worker.partitions()) {
                if (!known.contains(partition)) {
                    throw new IllegalArgumentException("Worker '%s' serves partition %d, which does not exist"
                            .formatted(worker.worker(), partition));
                }
                String other = servers.put(partition, worker.worker());
                if (other != null) {
                    throw new IllegalArgumentException("Workers '%s' and '%s' both serve partition %d"
                            .formatted(other, worker.worker(), partition));
                }
            }
        }
    }
}
