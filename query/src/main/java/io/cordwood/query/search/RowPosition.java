package io.cordwood.query.search;

/**
 * The place of a row in the order of its table: by time, then by its place in Kafka. It stays the same as long as the
 * row exists, hot or cold. Immutable.
 *
 * <p>Rows that another program wrote have no place in Kafka: all of those with the same time have one position.
 *
 * @param micros time of the row, in microseconds since the epoch
 * @param partition partition of its topic; -1 if unknown
 * @param offset offset of its record; -1 if unknown
 * @param ordinal number of the row in its record; -1 if unknown
 * @param topic hash of the topic's id, 16 bits: rows of an older topic of the same name may have the same place
 */
public record RowPosition(long micros, long partition, long offset, long ordinal, int topic)
        implements Comparable<RowPosition> {
    @Override
    public int compareTo(RowPosition other) {
        // By hand, because many rows are sorted
        int order = Long.compare(micros, other.micros);
        order = order != 0 ? order : Long.compare(partition, other.partition);
        order = order != 0 ? order : Long.compare(offset, other.offset);
        order = order != 0 ? order : Long.compare(ordinal, other.ordinal);
        return order != 0 ? order : Integer.compare(topic, other.topic);
    }
}
