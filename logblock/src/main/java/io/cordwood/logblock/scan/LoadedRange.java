package io.cordwood.logblock.scan;

import io.cordwood.logblock.io.ByteRange;
import io.cordwood.logblock.io.RangeReader;
import io.cordwood.logblock.io.ReadMetrics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** One range of an object in memory. Thread-safe. */
final class LoadedRange implements RangeReader {
    private final RangeReader in;
    private final long start;
    private final byte[] bytes;

    private LoadedRange(RangeReader in, long start, byte[] bytes) {
        this.in = in;
        this.start = start;
        this.bytes = bytes;
    }

    static LoadedRange of(RangeReader in, ByteRange range, ReadMetrics metrics) throws IOException {
        byte[] bytes = range.length() == 0
                ? new byte[0]
                : in.read(List.of(range), metrics).getFirst();
        return new LoadedRange(in, range.offset(), bytes);
    }

    @Override
    public String location() {
        return in.location();
    }

    @Override
    public long length() throws IOException {
        return in.length();
    }

    /** @param ranges ranges within the loaded one */
    @Override
    public List<byte[]> read(List<ByteRange> ranges) {
        List<byte[]> read = new ArrayList<>();
        for (ByteRange range : ranges) {
            int from = Math.toIntExact(range.offset() - start);
            read.add(Arrays.copyOfRange(bytes, from, from + range.length()));
        }
        return read;
    }
}
