package io.cordwood.query.cache;

import io.cordwood.logblock.io.ByteRange;
import io.cordwood.logblock.io.RangeReader;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.query.cache.BlockCache.BlockKey;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** A reader that reads whole blocks of an object through a {@link BlockCache}. Thread-safe. */
public final class CachingRangeReader implements RangeReader {
    private final RangeReader delegate;
    private final BlockCache cache;

    public CachingRangeReader(RangeReader delegate, BlockCache cache) {
        this.delegate = delegate;
        this.cache = cache;
    }

    @Override
    public String location() {
        return delegate.location();
    }

    @Override
    public long length() throws IOException {
        return delegate.length();
    }

    @Override
    public List<byte[]> read(List<ByteRange> ranges) throws IOException {
        return read(ranges, new ReadMetrics());
    }

    @Override
    public List<byte[]> read(List<ByteRange> ranges, ReadMetrics metrics) throws IOException {
        Map<Long, byte[]> blocks = blocks(ranges, metrics);
        List<byte[]> result = new ArrayList<>(ranges.size());
        for (ByteRange range : ranges) {
            if (range.end() > length()) {
                throw new EOFException("%s: range %s lies beyond its end, %d".formatted(location(), range, length()));
            }
            result.add(assemble(range, blocks));
        }
        return result;
    }

    private Map<Long, byte[]> blocks(List<ByteRange> ranges, ReadMetrics metrics) throws IOException {
        TreeSet<Long> requestedIndexes = new TreeSet<>();
        for (ByteRange range : ranges) {
            for (long index = range.offset() / BlockCache.BLOCK_SIZE;
                    index * BlockCache.BLOCK_SIZE < Math.min(range.end(), length());
                    index++) {
                requestedIndexes.add(index);
            }
        }
        Map<Long, byte[]> blocks = new HashMap<>();
        cache.find(requestedIndexes.stream()
                        .map(index -> new BlockKey(location(), index))
                        .toList())
                .forEach((key, block) -> blocks.put(key.index(), block));
        List<Long> missing = requestedIndexes.stream()
                .filter(index -> !blocks.containsKey(index))
                .toList();
        if (!missing.isEmpty()) {
            List<ByteRange> missingRanges = new ArrayList<>();
            for (long index : missing) {
                long offset = index * BlockCache.BLOCK_SIZE;
                missingRanges.add(new ByteRange(offset, (int) Math.min(BlockCache.BLOCK_SIZE, length() - offset)));
            }
            List<byte[]> read = delegate.read(missingRanges, metrics);
            for (int i = 0; i < read.size(); i++) {
                blocks.put(missing.get(i), read.get(i));
                cache.put(new BlockKey(location(), missing.get(i)), read.get(i));
            }
        }
        return blocks;
    }

    private static byte[] assemble(ByteRange range, Map<Long, byte[]> blocks) {
        byte[] bytes = new byte[range.length()];
        int done = 0;
        while (done < bytes.length) {
            long position = range.offset() + done;
            byte[] block = blocks.get(position / BlockCache.BLOCK_SIZE);
            int from = (int) (position % BlockCache.BLOCK_SIZE);
            int length = Math.min(bytes.length - done, block.length - from);
            System.arraycopy(block, from, bytes, done, length);
            done += length;
        }
        return bytes;
    }

    @Override
    public void close() throws IOException {
        delegate.close();
    }
}
