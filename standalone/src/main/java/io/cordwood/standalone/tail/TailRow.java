package io.cordwood.standalone.tail;

import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One row of a stream. Immutable. Rows are ordered by time, then by their position in Kafka.
 *
 * @param micros event time in microseconds since 1970
 * @param partition partition of the topic
 * @param offset offset of the record
 * @param ordinal position within the record
 * @param columns values that are not null, as SQL shows them: text, {@code Long}, {@code Double} or {@code Boolean}
 * @param attributes members that have no column
 */
record TailRow(
        long micros,
        int partition,
        long offset,
        long ordinal,
        Map<String, Object> columns,
        Map<String, String> attributes)
        implements Comparable<TailRow> {
    private static final Comparator<TailRow> ORDER = Comparator.comparingLong(TailRow::micros)
            .thenComparingInt(TailRow::partition)
            .thenComparingLong(TailRow::offset)
            .thenComparingLong(TailRow::ordinal);

    TailRow {
        columns = Collections.unmodifiableMap(new LinkedHashMap<>(columns));
        attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
    }

    /** Columns, then members without a column, in one map: the difference does not matter to a reader. */
    Map<String, Object> members() {
        Map<String, Object> members = new LinkedHashMap<>(columns);
        attributes.forEach(members::putIfAbsent);
        return members;
    }

    @Override
    public int compareTo(TailRow other) {
        return ORDER.compare(this, other);
    }
}
