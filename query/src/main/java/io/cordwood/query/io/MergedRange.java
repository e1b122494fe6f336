package io.cordwood.query.io;

import io.cordwood.logblock.io.ByteRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Ranges that lie near one another and are read in one request. Immutable.
 *
 * @param ranges sorted, without overlap; at least one
 */
record MergedRange(List<ByteRange> ranges) {
    MergedRange {
        ranges = List.copyOf(ranges);
    }

    /**
     * Merges ranges.
     *
     * @param ranges sorted, without overlap
     * @param maxGap the largest gap between two ranges, in bytes, that is read rather than skipped
     * @param maxLength maximum length of a merged range
     */
    static List<MergedRange> of(List<ByteRange> ranges, int maxGap, int maxLength) {
        List<MergedRange> merged = new ArrayList<>();
        int next = 0;
        while (next < ranges.size()) {
            int first = next;
            long end = ranges.get(first).end();
            next++;
            while (next < ranges.size()
                    && ranges.get(next).offset() - end <= maxGap
                    && ranges.get(next).end() - ranges.get(first).offset() <= maxLength) {
                end = ranges.get(next).end();
                next++;
            }
            merged.add(new MergedRange(ranges.subList(first, next)));
        }
        return merged;
    }

    long offset() {
        return ranges.getFirst().offset();
    }

    long end() {
        return ranges.getLast().end();
    }

    int length() {
        return Math.toIntExact(end() - offset());
    }

    /** Splits the bytes of the merged range into those of each range. */
    List<byte[]> split(byte[] bytes) {
        if (ranges.size() == 1) {
            return List.of(bytes);
        }
        List<byte[]> parts = new ArrayList<>(ranges.size());
        for (ByteRange range : ranges) {
            int from = Math.toIntExact(range.offset() - offset());
            parts.add(Arrays.copyOfRange(bytes, from, from + range.length()));
        }
        return parts;
    }
}
