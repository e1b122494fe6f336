package io.cordwood.hot.log;

import static java.util.Objects.requireNonNull;

import java.util.Map;

/**
 * Which log offsets are offsets of. Immutable.
 *
 * <p>What stands at an offset is the same as long as both are: a topic made anew begins at 0 again, and a leader that
 * lacks records which were acknowledged gives their offsets to others, under another epoch.
 *
 * @param topicId Kafka's UUID of the topic
 * @param leaderEpochs by partition the epoch of the leader that was asked; of a partition without one nothing is kept
 */
public record LogVersion(String topicId, Map<Integer, Integer> leaderEpochs) {
    /** Stands for an epoch that is not known. */
    public static final int NO_EPOCH = -1;

    public LogVersion {
        requireNonNull(topicId, "topicId is null");
        leaderEpochs = Map.copyOf(leaderEpochs);
    }

    /** A topic whose leaders are not known. */
    public static LogVersion of(String topicId) {
        return new LogVersion(topicId, Map.of());
    }

    /** The epoch of the partition's leader; {@link #NO_EPOCH} if it is not known. */
    public int leaderEpoch(int partition) {
        return leaderEpochs.getOrDefault(partition, NO_EPOCH);
    }
}
