package io.cordwood.hot;

import java.util.Map;

/**
 * Where a stream's log ends, as one query sees it: v_q of the partition pruning paper. Immutable.
 *
 * @param stream the topic's name
 * @param topicId Kafka's UUID of the topic: a topic made anew starts its offsets at 0 again
 * @param ends last stable offset by partition: every record below it that will ever be read is there
 */
public record TailVersion(String stream, String topicId, Map<Integer, Long> ends) {
    public TailVersion {
        ends = Map.copyOf(ends);
    }
}
