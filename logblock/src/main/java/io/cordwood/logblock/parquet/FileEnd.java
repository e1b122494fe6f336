package io.cordwood.logblock.parquet;

import io.cordwood.logblock.io.ByteRange;
import io.cordwood.logblock.io.LogBlockException;
import io.cordwood.logblock.io.RangeReader;
import io.cordwood.logblock.io.ReadMetrics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * An object whose last bytes are in memory and are not read again. Immutable.
 *
 * @param in the object
 * @param length its length in bytes
 * @param bytes its last bytes
 */
record FileEnd(RangeReader in, long length, byte[] bytes) {
    /** An object without bytes in memory. */
    static FileEnd unread(RangeReader in) throws IOException {
        return new FileEnd(in, in.length(), new byte[0]);
    }

    /** The same object with {@code count} of its last bytes in memory. */
    FileEnd grownTo(int count, ReadMetrics metrics) throws IOException {
        return count <= bytes.length
                ? this
                : new FileEnd(
                        in,
                        length,
                        read(List.of(new ByteRange(length - count, count)), metrics)
                                .getFirst());
    }

    /** The start of the bytes in memory. */
    private long start() {
        return length - bytes.length;
    }

    /** The bytes {@code [offset, offset + count)}, if they are in memory. */
    Optional<byte[]> find(long offset, int count) {
        long at = offset - start();
        return at < 0 || count < 0 || at > bytes.length - count
                ? Optional.empty()
                : Optional.of(Arrays.copyOfRange(bytes, (int) at, (int) at + count));
    }

    /**
     * Reads ranges with at most one call for the bytes that are not in memory.
     *
     * @param ranges sorted, not overlapping
     * @throws LogBlockException if a range ends beyond the object
     */
    List<byte[]> read(List<ByteRange> ranges, ReadMetrics metrics) throws IOException {
        List<ByteRange> missing = new ArrayList<>();
        for (ByteRange range : ranges) {
            if (range.offset() > length - range.length()) {
                throw new LogBlockException(
                        in.location(), "bytes %s lie beyond its %d: damaged".formatted(range, length));
            }
            int unread = unreadOf(range);
            if (unread > 0) {
                missing.add(new ByteRange(range.offset(), unread));
            }
        }
        List<byte[]> read = List.of();
        if (!missing.isEmpty()) {
            metrics.requests.increment();
            read = in.read(missing);
        }
        List<byte[]> whole = new ArrayList<>(ranges.size());
        int next = 0;
        for (ByteRange range : ranges) {
            whole.add(completed(unreadOf(range) > 0 ? read.get(next++) : new byte[0], range));
        }
        return whole;
    }

    /** The number of bytes of a range that are not in memory. */
    private int unreadOf(ByteRange range) {
        return Math.clamp(start() - range.offset(), 0, range.length());
    }

    /** Completes a range whose first bytes are given. */
    private byte[] completed(byte[] first, ByteRange range) {
        if (first.length == range.length()) {
            return first;
        }
        byte[] all = Arrays.copyOf(first, range.length());
        int from = (int) (range.offset() + first.length - start());
        System.arraycopy(bytes, from, all, first.length, all.length - first.length);
        return all;
    }
}
