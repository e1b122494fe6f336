package io.cordwood.catalog.table;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.cordwood.catalog.json.Json;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * Table offsets: for each partition, the offset below which all rows of the tenant are in the table. Immutable.
 *
 * <p>The table property {@value #PROPERTY} holds them as {@code {"<topicId>":{"<partition>":<offset>}}}. They change
 * only in a commit that also moves the branch {@code main}, because a REST commit asserts refs, not properties. A
 * partition without an entry has offset 0.
 */
public final class TableOffsets {
    /** Name of the table property of the offsets. */
    public static final String PROPERTY = "cordwood.offsets";

    /** Property of a snapshot's summary with the offsets that it changed, for audit. */
    public static final String CHANGED_PROPERTY = "cordwood.offsets-changed";

    /** Offset of a partition that will get no more records, since its topic was deleted or replaced by another. */
    public static final long END = Long.MAX_VALUE;

    /** No entry: every offset is 0. */
    public static final TableOffsets NONE = new TableOffsets(Map.of());

    private final Map<String, Map<Integer, Long>> byTopic;

    private TableOffsets(Map<String, Map<Integer, Long>> byTopic) {
        this.byTopic = byTopic;
    }

    /** The offsets of these partitions. */
    public static TableOffsets of(Map<PartitionId, Long> offsets) {
        return NONE.with(offsets);
    }

    /**
     * The offsets in the properties of a table.
     *
     * @throws IllegalArgumentException if the property is malformed
     */
    public static TableOffsets fromProperties(Map<String, String> properties) {
        String json = properties.get(PROPERTY);
        return json == null ? NONE : fromJson(json);
    }

    /**
     * Parses the JSON of {@link #toJson}.
     *
     * @throws IllegalArgumentException if it is malformed
     */
    public static TableOffsets fromJson(String json) {
        try {
            return fromJson(Json.MAPPER.readTree(json));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("Property %s is not JSON: %s".formatted(PROPERTY, json), e);
        }
    }

    public static TableOffsets fromJson(JsonNode topics) {
        if (!topics.isObject()) {
            throw new IllegalArgumentException("Offsets are not a JSON object: " + topics);
        }
        Map<String, Map<Integer, Long>> byTopic = new TreeMap<>();
        for (Map.Entry<String, JsonNode> topic : topics.properties()) {
            if (!topic.getValue().isObject()) {
                throw new IllegalArgumentException(
                        "Offsets of topic %s are not a JSON object".formatted(topic.getKey()));
            }
            Map<Integer, Long> partitions = new TreeMap<>();
            for (Map.Entry<String, JsonNode> partition : topic.getValue().properties()) {
                PartitionId id = new PartitionId(topic.getKey(), Integer.parseInt(partition.getKey()));
                if (!partition.getValue().canConvertToLong()
                        || !partition.getValue().isIntegralNumber()) {
                    throw new IllegalArgumentException("Offset of %s is not a number: %s".formatted(id, topics));
                }
                partitions.put(id.partition(), checked(id, partition.getValue().longValue()));
            }
            byTopic.put(topic.getKey(), Collections.unmodifiableMap(partitions));
        }
        return new TableOffsets(Collections.unmodifiableMap(byTopic));
    }

    /** The offset of this partition; 0 if it has no entry. */
    public long offset(PartitionId partition) {
        return find(partition).orElse(0);
    }

    /** The offset of this partition, if it has an entry. */
    public OptionalLong find(PartitionId partition) {
        Long offset = byTopic.getOrDefault(partition.topicId(), Map.of()).get(partition.partition());
        return offset == null ? OptionalLong.empty() : OptionalLong.of(offset);
    }

    /** A copy with another offset for this partition. */
    public TableOffsets with(PartitionId partition, long offset) {
        return with(Map.of(partition, offset));
    }

    private TableOffsets with(Map<PartitionId, Long> offsets) {
        Map<String, Map<Integer, Long>> topics = new TreeMap<>();
        byTopic.forEach((topicId, partitions) -> topics.put(topicId, new TreeMap<>(partitions)));
        offsets.forEach((partition, offset) -> topics.computeIfAbsent(partition.topicId(), any -> new TreeMap<>())
                .put(partition.partition(), checked(partition, offset)));
        topics.replaceAll((topicId, partitions) -> Collections.unmodifiableMap(partitions));
        return new TableOffsets(Collections.unmodifiableMap(topics));
    }

    /** A copy without the entries of deleted topics. */
    public TableOffsets withoutTopics(Set<String> topicIds) {
        Map<String, Map<Integer, Long>> topics = new TreeMap<>(byTopic);
        topics.keySet().removeAll(topicIds);
        return new TableOffsets(Collections.unmodifiableMap(topics));
    }

    /**
     * A copy for a stream's present topic that adds {@link #END} for each known partition of the stream's earlier
     * topics. Kafka uses no topic id twice, so all their records were acknowledged before this topic was created.
     *
     * @param known offsets with an entry for each known partition of any topic; read before these offsets
     */
    public TableOffsets withEarlierTopics(TableOffsets known) {
        Map<PartitionId, Long> earlier = known.entries();
        earlier.keySet().removeIf(partition -> byTopic.containsKey(partition.topicId()));
        earlier.replaceAll((partition, offset) -> END);
        return with(earlier);
    }

    /** For each partition the larger offset of the two. */
    public TableOffsets max(TableOffsets other) {
        Map<PartitionId, Long> higher = other.entries();
        higher.entrySet().removeIf(entry -> entry.getValue() <= offset(entry.getKey()));
        return higher.isEmpty() ? this : with(higher);
    }

    /** The entries, ordered by topic id and partition. */
    public Map<PartitionId, Long> entries() {
        Map<PartitionId, Long> entries = new LinkedHashMap<>();
        byTopic.forEach((topicId, partitions) ->
                partitions.forEach((partition, offset) -> entries.put(new PartitionId(topicId, partition), offset)));
        return entries;
    }

    /** Ids of the topics that have an entry. */
    public Set<String> topicIds() {
        return byTopic.keySet();
    }

    /** Whether no partition has an entry. */
    public boolean isEmpty() {
        return byTopic.isEmpty();
    }

    /** Compact JSON with sorted keys. */
    public String toJson() {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = Json.MAPPER.createGenerator(text)) {
            writeJson(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    void writeJson(JsonGenerator json) throws IOException {
        json.writeStartObject();
        for (Map.Entry<String, Map<Integer, Long>> topic : byTopic.entrySet()) {
            json.writeObjectFieldStart(topic.getKey());
            for (Map.Entry<Integer, Long> partition : topic.getValue().entrySet()) {
                json.writeNumberField(Integer.toString(partition.getKey()), partition.getValue());
            }
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    private static long checked(PartitionId partition, long offset) {
        if (offset < 0) {
            throw new IllegalArgumentException("Offset %d of %s is negative".formatted(offset, partition));
        }
        return offset;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TableOffsets that && byTopic.equals(that.byTopic);
    }

    @Override
    public int hashCode() {
        return byTopic.hashCode();
    }

    @Override
    public String toString() {
        return toJson();
    }
}
