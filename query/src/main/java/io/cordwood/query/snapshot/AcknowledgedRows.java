package io.cordwood.query.snapshot;

import static com.google.common.collect.ImmutableSet.toImmutableSet;

import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.hot.LogEnds;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.predicate.Predicate.ValueRange;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.LogBlockSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The rows of a stream that Kafka had acknowledged at a point in time. Immutable.
 *
 * @param end log ends of the stream's topic; empty if there was no topic
 * @param below the same as offsets, and {@link TableOffsets#END} for partitions of the topics that the stream had
 *     before
 */
public record AcknowledgedRows(Optional<LogEnds> end, TableOffsets below) {
    /** The stored columns of a row's place in Kafka. */
    public static final List<String> IDENTITY =
            List.of(LogBlockSchema.KAFKA_TOPIC_ID, LogBlockSchema.KAFKA_PARTITION, LogBlockSchema.KAFKA_OFFSET);

    /** @param known offsets of all known partitions of the stream; read before the log end */
    static AcknowledgedRows of(Optional<LogEnds> end, TableOffsets known) {
        return new AcknowledgedRows(
                end, end.map(LogEnds::offsets).orElse(TableOffsets.NONE).withEarlierTopics(known));
    }

    /**
     * Partitions of earlier topics whose rows the ingest job may still hold.
     *
     * @param archivedThrough archived-through of the stream; has an entry for each partition that the job has begun to
     *     read
     * @param inTable offsets of the tenant's table
     */
    public Set<PartitionId> unfinished(TableOffsets archivedThrough, TableOffsets inTable) {
        return archivedThrough.entries().keySet().stream()
                .filter(partition -> below.offset(partition) == TableOffsets.END)
                .filter(partition -> archivedThrough.max(inTable).offset(partition) < TableOffsets.END)
                .collect(toImmutableSet());
    }

    /**
     * The condition that a table's row was acknowledged then, on the stored columns; {@link Predicate#TRUE} if all rows
     * were.
     *
     * @param below offsets; the rows below them were acknowledged
     * @param inTable offsets of the table
     */
    public static Predicate condition(TableOffsets below, TableOffsets inTable, LogBlockSchema schema) {
        Map<String, List<Predicate>> byTopic = new HashMap<>();
        inTable.entries().forEach((partition, offset) -> {
            if (offset > below.offset(partition)) {
                ValueRange later = new ValueRange(Optional.of(below.offset(partition)), true, Optional.empty(), false);
                byTopic.computeIfAbsent(partition.topicId(), any -> new ArrayList<>())
                        .add(new Predicate.And(List.of(
                                equal(schema, LogBlockSchema.KAFKA_PARTITION, (long) partition.partition()),
                                new Predicate.In(column(schema, LogBlockSchema.KAFKA_OFFSET), List.of(later)))));
            }
        });
        if (byTopic.isEmpty()) {
            return Predicate.TRUE;
        }
        List<Predicate> later = new ArrayList<>();
        byTopic.forEach((topicId, rows) -> later.add(new Predicate.And(
                List.of(equal(schema, LogBlockSchema.KAFKA_TOPIC_ID, topicId), new Predicate.Or(rows)))));
        // Rows that another engine wrote need not have come from Kafka.
        return new Predicate.Or(List.of(
                new Predicate.IsNull(column(schema, LogBlockSchema.KAFKA_TOPIC_ID)),
                new Predicate.Not(new Predicate.Or(later))));
    }

    private static Predicate equal(LogBlockSchema schema, String name, Object value) {
        return new Predicate.In(column(schema, name), List.of(ValueRange.equal(value)));
    }

    private static Column column(LogBlockSchema schema, String name) {
        return schema.column(name).orElseThrow();
    }
}
