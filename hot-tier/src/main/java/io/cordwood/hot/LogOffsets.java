package io.cordwood.hot;

import java.util.Map;

/**
 * Offsets in a stream's log. Immutable.
 *
 * @param topicId Kafka's UUID of the topic: a recreated topic starts its offsets at 0 again
 * @param offsets an offset of each partition
 */
public record LogOffsets(String topicId, Map<Integer, Long> offsets) {
    public LogOffsets {
        offsets = Map.copyOf(offsets);
    }
}
