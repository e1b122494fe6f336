package io.cordwood.ingest.source;

import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

/**
 * Assigns partitions to subtasks by a fixed function of a partition's number and topic name and of the maximum
 * parallelism. It never depends on the parallelism or on the number of partitions, so that a rescale or a new partition
 * moves no buffer to a subtask that does not read its rows.
 *
 * <p>Flink gives each subtask a range of key groups. Partition {@code p} has key group {@code bitReverse(p)}, the van
 * der Corput sequence. It spreads every range of {@code p} evenly over key group ranges of any length: with a
 * parallelism of a power of two, no subtask has over one partition more than another (two, if the topic's first
 * partition starts in the middle); with other parallelisms, a few.
 */
public final class PartitionSpread {
    /** The job's maximum parallelism; a constant of its checkpoints. A power of two. */
    public static final int MAX_PARALLELISM = 1024;

    private static final int[] HASH_OF_KEY_GROUP = hashes();

    private PartitionSpread() {}

    /** A hash code that Flink maps to the partition's key group. */
    static int hashCode(String topic, int partition) {
        return HASH_OF_KEY_GROUP[keyGroup(topic, partition)];
    }

    /** The key group of a partition, in [0, {@link #MAX_PARALLELISM}). */
    static int keyGroup(String topic, int partition) {
        int place = (topic.hashCode() + partition) & (MAX_PARALLELISM - 1);
        return Integer.reverse(place) >>> (Integer.numberOfLeadingZeros(MAX_PARALLELISM) + 1);
    }

    private static int[] hashes() {
        int[] hashes = new int[MAX_PARALLELISM];
        boolean[] found = new boolean[MAX_PARALLELISM];
        int left = MAX_PARALLELISM;
        for (int hash = 0; left > 0; hash++) {
            int group = KeyGroupRangeAssignment.computeKeyGroupForKeyHash(hash, MAX_PARALLELISM);
            if (!found[group]) {
                found[group] = true;
                hashes[group] = hash;
                left--;
            }
        }
        return hashes;
    }
}
