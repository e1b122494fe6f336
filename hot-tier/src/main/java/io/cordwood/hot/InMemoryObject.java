package io.cordwood.hot;

import io.cordwood.logblock.io.ByteRange;
import io.cordwood.logblock.io.RangeReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** An object backed by an array. Thread-safe. */
@SuppressWarnings("ArrayRecordComponent") // Never compared
record InMemoryObject(String location, byte[] bytes) implements RangeReader {
    @Override
    public long length() {
        return bytes.length;
    }

    @Override
    public List<byte[]> read(List<ByteRange> ranges) {
        List<byte[]> result = new ArrayList<>(ranges.size());
        for (ByteRange range : ranges) {
            int from = Math.toIntExact(range.offset());
            result.add(Arrays.copyOfRange(bytes, from, from + Math.toIntExact(range.length())));
        }
        return result;
    }
}
