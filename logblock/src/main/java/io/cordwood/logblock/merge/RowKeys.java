package io.cordwood.logblock.merge;

/** The sort keys of rows: (ts, topic id, partition, offset, ordinal), one per row, by position. */
@SuppressWarnings("ArrayRecordComponent") // Never compared as a whole
record RowKeys(long[] times, String[] topicIds, long[] partitions, long[] offsets, long[] ordinals) {
    static int compare(RowKeys a, int i, RowKeys b, int j) {
        int order = Long.compare(a.times[i], b.times[j]);
        if (order != 0) {
            return order;
        }
        // Mostly the same object
        order = a.topicIds[i].equals(b.topicIds[j]) ? 0 : a.topicIds[i].compareTo(b.topicIds[j]);
        if (order != 0) {
            return order;
        }
        order = Long.compare(a.partitions[i], b.partitions[j]);
        if (order != 0) {
            return order;
        }
        order = Long.compare(a.offsets[i], b.offsets[j]);
        return order != 0 ? order : Long.compare(a.ordinals[i], b.ordinals[j]);
    }
}
