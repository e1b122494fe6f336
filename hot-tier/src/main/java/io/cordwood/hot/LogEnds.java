package io.cordwood.hot;

import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.hot.log.LogVersion;
import io.cordwood.hot.log.OffsetSpan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The end of a stream's log as one query sees it: the query end of the partition pruning paper. Immutable.
 *
 * @param stream the topic's name
 * @param log the log that the ends belong to
 * @param ends last stable offset by partition: every record below it that can ever be read already exists
 */
public record LogEnds(String stream, LogVersion log, Map<Integer, Long> ends) {
    public LogEnds {
        ends = Map.copyOf(ends);
    }

    /** Kafka's UUID of the topic. */
    public String topicId() {
        return log.topicId();
    }

    /** The ends as offsets. */
    public TableOffsets offsets() {
        Map<PartitionId, Long> offsets = new HashMap<>();
        ends.forEach((partition, end) -> offsets.put(new PartitionId(topicId(), partition), end));
        return TableOffsets.of(offsets);
    }

    /**
     * The spans between these offsets and the ends, by partition; partitions without offsets in between have no span.
     */
    public List<OffsetSpan> spansFrom(TableOffsets offsets) {
        List<OffsetSpan> spans = new ArrayList<>();
        new TreeMap<>(ends).forEach((partition, end) -> {
            long from = offsets.offset(new PartitionId(topicId(), partition));
            if (from < end) {
                spans.add(new OffsetSpan(partition, from, end));
            }
        });
        return spans;
    }
}
