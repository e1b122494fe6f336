package io.cordwood.logblock.index;

import io.cordwood.logblock.io.ByteRange;
import io.cordwood.logblock.io.RangeReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.lucene.index.CorruptIndexException;

/**
 * The cold bytes of an index, read in blocks of {@value #BLOCK} bytes. The hot bytes hold a checksum of each block, so
 * that no damaged byte reaches a query. Thread-safe if its {@link RangeReader} is.
 */
final class ColdRegion {
    static final int BLOCK = 1 << 14;

    private final RangeReader in;
    private final long start;
    private final long length;
    private final int[] checksums;

    ColdRegion(RangeReader in, long start, long length, int[] checksums) {
        this.in = in;
        this.start = start;
        this.length = length;
        this.checksums = checksums;
    }

    static int[] checksums(byte[] bytes, int length) {
        int[] checksums = new int[blockCount(length)];
        for (int block = 0; block < checksums.length; block++) {
            int from = block * BLOCK;
            checksums[block] = crc(bytes, from, Math.min(BLOCK, length - from));
        }
        return checksums;
    }

    static int blockCount(long length) {
        return Math.toIntExact((length + BLOCK - 1) / BLOCK);
    }

    static int crc(byte[] bytes, int from, int count) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, count);
        return (int) crc.getValue();
    }

    long length() {
        return length;
    }

    /** Reads all blocks. */
    void check() throws IOException {
        for (int block = 0; block < blockCount(length); block++) {
            blocks(block, block + 1);
        }
    }

    /** Reads the blocks {@code [from, to)} in one request. */
    List<byte[]> blocks(int from, int to) throws IOException {
        List<ByteRange> ranges = new ArrayList<>();
        for (int block = from; block < to; block++) {
            long offset = (long) block * BLOCK;
            ranges.add(new ByteRange(start + offset, (int) Math.min(BLOCK, length - offset)));
        }
        List<byte[]> blocks = in.read(ranges);
        for (int i = 0; i < blocks.size(); i++) {
            byte[] block = blocks.get(i);
            if (crc(block, 0, block.length) != checksums[from + i]) {
                throw new CorruptIndexException(
                        "checksum of index block %d is wrong".formatted(from + i), in.location());
            }
        }
        return blocks;
    }

    byte[] read(long offset, int count) throws IOException {
        byte[] out = new byte[count];
        if (count == 0) {
            return out;
        }
        int from = (int) (offset / BLOCK);
        List<byte[]> blocks = blocks(from, blockCount(offset + count));
        int done = 0;
        for (byte[] block : blocks) {
            int at = done == 0 ? (int) (offset % BLOCK) : 0;
            int take = Math.min(count - done, block.length - at);
            System.arraycopy(block, at, out, done, take);
            done += take;
        }
        return out;
    }
}
