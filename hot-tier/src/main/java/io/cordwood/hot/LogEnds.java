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
 * Where a stream's log ends, as one query sees it: v_q of the partition pruning paper. Immutable.
 *
 * @param stream the topic's name
 * @param log which log that is
 * @param ends last stable offset by partition: every record below it that will ever be read is there
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

    /** What lies between these offsets and the ends, by partition; of partitions where nothing does, there is none. */
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
