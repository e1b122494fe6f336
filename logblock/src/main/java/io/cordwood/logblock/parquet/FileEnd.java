package io.cordwood.logblock.parquet;

import io.cordwood.logblock.ByteRange;
import io.cordwood.logblock.LogBlockException;
import io.cordwood.logblock.RangeReader;
import io.cordwood.logblock.ReadMetrics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * An object whose last bytes are at hand and are not read again. Immutable.
 *
 * @param in the object
 * @param length its length
 * @param bytes its last bytes
 */
record FileEnd(RangeReader in, long length, byte[] bytes) {
    /** An object of which nothing is read yet. */
    static FileEnd unread(RangeReader in) throws IOException {
        return new FileEnd(in, in.length(), new byte[0]);
    }

    /** The same object, {@code count} of its last bytes at hand. */
    FileEnd grownTo(int count, ReadMetrics metrics) throws IOException {
        return count <= bytes.length
                ? this
                : new FileEnd(
                        in,
                        length,
                        read(List.of(new ByteRange(length - count, count)), metrics)
                                .getFirst());
    }

    /** Where the bytes at hand start. */
    long start() {
        return length - bytes.length;
    }

    /** The bytes {@code [offset, offset + count)} if they are at hand. */
    Optional<byte[]> find(long offset, int count) {
        long at = offset - start();
        return at < 0 || count < 0 || at > bytes.length - count
                ? Optional.empty()
                : Optional.of(Arrays.copyOfRange(bytes, (int) at, (int) at + count));
    }

    /** Reads ranges by at most one call for what is not at hand. */
    List<byte[]> read(List<ByteRange> ranges, ReadMetrics metrics) throws IOException {
        List<ByteRange> missing = new ArrayList<>();
        for (ByteRange range : ranges) {
            if (range.end() > length) {
                throw new LogBlockException(
                        in.location(), "bytes %s lie beyond its %d: damaged".formatted(range, length));
            }
            if (range.offset() < start()) {
                missing.add(new ByteRange(range.offset(), unreadOf(range)));
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
            int unread = unreadOf(range);
            whole.add(unread == 0 ? copy(new byte[range.length()], range, 0) : completed(read.get(next++), range));
        }
        return whole;
    }

    /** How many bytes of a range are not at hand. */
    private int unreadOf(ByteRange range) {
        return Math.clamp(start() - range.offset(), 0, range.length());
    }

    private byte[] completed(byte[] first, ByteRange range) {
        return first.length == range.length() ? first : copy(Arrays.copyOf(first, range.length()), range, first.length);
    }

    /** Puts what is at hand of a range where it belongs, from {@code known} on. */
    private byte[] copy(byte[] target, ByteRange range, int known) {
        System.arraycopy(bytes, (int) (range.offset() + known - start()), target, known, range.length() - known);
        return target;
    }
}
