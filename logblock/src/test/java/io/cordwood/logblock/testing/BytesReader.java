package io.cordwood.logblock.testing;

import io.cordwood.logblock.io.ByteRange;
import io.cordwood.logblock.io.RangeReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A LogBlock in memory. */
public record BytesReader(byte[] bytes) implements RangeReader {
    @Override
    public String location() {
        return "memory";
    }

    @Override
    public long length() {
        return bytes.length;
    }

    @Override
    public List<byte[]> read(List<ByteRange> ranges) {
        List<byte[]> result = new ArrayList<>();
        for (ByteRange range : ranges) {
            result.add(Arrays.copyOfRange(bytes, (int) range.offset(), (int) range.end()));
        }
        return result;
    }
}
