package io.cordwood.logblock.schema;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The columns of a LogBlock, in file order. Immutable.
 *
 * <p>Every LogBlock has the columns named by the constants of this class: the row's time, its tenant, its identity and
 * order ({@code ts, topic id, partition, offset, ordinal}), and the members without a column of their own.
 */
public record LogBlockSchema(List<Column> columns) {
    public static final String TENANT_ID = "tenant_id";
    public static final String TS = "ts";
    public static final String ATTRIBUTES = "attributes";
    /** UUID of the Kafka topic, as text: the offsets of a recreated topic start at 0 again. */
    public static final String KAFKA_TOPIC_ID = "_kafka_topic_id";

    public static final String KAFKA_PARTITION = "_kafka_partition";
    public static final String KAFKA_OFFSET = "_kafka_offset";
    /** Index of the row in its Kafka record, from 0. */
    public static final String KAFKA_ORDINAL = "_kafka_ordinal";

    public LogBlockSchema {
        columns = List.copyOf(columns);
        Set<Integer> ids = new HashSet<>();
        Set<String> names = new HashSet<>();
        for (Column column : columns) {
            if (!ids.add(column.fieldId())) {
                throw new IllegalArgumentException("Field id %d occurs twice".formatted(column.fieldId()));
            }
            if (!names.add(column.name())) {
                throw new IllegalArgumentException("Column '%s' occurs twice".formatted(column.name()));
            }
        }
    }

    public Optional<Column> column(String name) {
        return columns.stream().filter(column -> column.name().equals(name)).findFirst();
    }

    public Optional<Column> column(int fieldId) {
        return columns.stream().filter(column -> column.fieldId() == fieldId).findFirst();
    }

    /** The position of the column with this name. */
    public int indexOf(String name) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equals(name)) {
                return i;
            }
        }
        throw new IllegalArgumentException("No column '%s'".formatted(name));
    }
}
