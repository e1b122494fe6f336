package io.cordwood.hot.log;

import static java.util.Objects.requireNonNull;

import java.util.Map;

/**
 * The identity of a log that offsets refer to. Immutable.
 *
 * <p>The record at an offset stays the same while both parts stay the same. A recreated topic begins at 0 again. A
 * leader that lacks acknowledged records reuses their offsets, under another epoch.
 *
 * @param topicId Kafka's UUID of the topic
 * @param leaderEpochs the leader's epoch by partition; rows of a partition without one are not cached
 */
public record LogVersion(String topicId, Map<Integer, Integer> leaderEpochs) {
    /** An unknown epoch. */
    public static final int NO_EPOCH = -1;

    public LogVersion {
        requireNonNull(topicId, "topicId is null");
        leaderEpochs = Map.copyOf(leaderEpochs);
    }

    /** A topic with unknown leaders. */
    public static LogVersion of(String topicId) {
        return new LogVersion(topicId, Map.of());
    }

    /** The epoch of the partition's leader; {@link #NO_EPOCH} if it is unknown. */
    public int leaderEpoch(int partition) {
        return leaderEpochs.getOrDefault(partition, NO_EPOCH);
    }
}
