package io.cordwood.logblock.index;

import java.io.EOFException;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;
import org.apache.lucene.store.IndexInput;

/**
 * An input of a Lucene file in the cold region. Its first and last bytes, which opening a segment reads, come from the
 * hot bytes. All other bytes are read block by block, and several blocks at once in sequential reads. Not thread-safe;
 * clones are independent.
 */
final class ColdIndexInput extends IndexInput {
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int MAX_READ_AHEAD = 32;

    private final ColdRegion region;
    private final LuceneFile file;
    /** The start of this slice in the file. */
    private final long sliceStart;

    private final long sliceLength;

    private long position;
    /** The buffered bytes, and their start in the file. */
    private byte[] window = new byte[0];

    private long windowStart;
    private List<byte[]> ahead = List.of();
    private int aheadFirst;
    private int readAhead = 1;

    ColdIndexInput(ColdRegion region, LuceneFile file) {
        this(region, file, file.name(), 0, file.length());
    }

    private ColdIndexInput(ColdRegion region, LuceneFile file, String description, long start, long length) {
        super(description);
        this.region = region;
        this.file = file;
        this.sliceStart = start;
        this.sliceLength = length;
        this.position = start;
    }

    @Override
    public byte readByte() throws IOException {
        int at = require(1);
        return window[at];
    }

    @Override
    public short readShort() throws IOException {
        return atHand(Short.BYTES) ? (short) (window[require(1)] & 0xFF | window[require(1)] << 8) : super.readShort();
    }

    @Override
    public int readInt() throws IOException {
        return atHand(Integer.BYTES) ? (int) INTS.get(window, require(Integer.BYTES)) : super.readInt();
    }

    @Override
    public long readLong() throws IOException {
        return atHand(Long.BYTES) ? (long) LONGS.get(window, require(Long.BYTES)) : super.readLong();
    }

    @Override
    public void readBytes(byte[] out, int from, int count) throws IOException {
        int done = 0;
        while (done < count) {
            int at = require(1);
            int take = Math.min(count - done, window.length - at);
            System.arraycopy(window, at, out, from + done, take);
            position += take - 1;
            done += take;
        }
    }

    private boolean atHand(int count) {
        long at = position - windowStart;
        return at >= 0 && at + count <= window.length && position + count <= sliceStart + sliceLength;
    }

    /**
     * Advances by {@code count} bytes, which are 1 or buffered, and returns the index in the window of the first of
     * them.
     */
    private int require(int count) throws IOException {
        long at = position - windowStart;
        if (at < 0 || at >= window.length) {
            load();
            at = position - windowStart;
        }
        if (position >= sliceStart + sliceLength) {
            throw new EOFException("read past the end of " + this);
        }
        position += count;
        return (int) at;
    }

    private void load() throws IOException {
        if (position >= sliceStart + sliceLength) {
            throw new EOFException("read past the end of " + this);
        }
        if (position < file.head().length) {
            window = file.head();
            windowStart = 0;
            return;
        }
        long footerStart = file.length() - file.footer().length;
        if (position >= footerStart) {
            window = file.footer();
            windowStart = footerStart;
            return;
        }
        int block = (int) ((file.offset() + position) / ColdRegion.BLOCK);
        if (block < aheadFirst || block >= aheadFirst + ahead.size()) {
            boolean goesOn = !ahead.isEmpty() && block == aheadFirst + ahead.size();
            readAhead = goesOn ? Math.min(MAX_READ_AHEAD, 2 * readAhead) : 1;
            int last = ColdRegion.blockCount(file.offset() + sliceStart + sliceLength);
            ahead = region.blocks(block, Math.min(last, block + readAhead));
            aheadFirst = block;
        }
        window = ahead.get(block - aheadFirst);
        windowStart = (long) block * ColdRegion.BLOCK - file.offset();
    }

    @Override
    public void close() {}

    @Override
    public long getFilePointer() {
        return position - sliceStart;
    }

    @Override
    public void seek(long pointer) throws IOException {
        if (pointer < 0 || pointer > sliceLength) {
            throw new EOFException("seek to %d in %s of %d bytes".formatted(pointer, this, sliceLength));
        }
        position = sliceStart + pointer;
    }

    @Override
    public long length() {
        return sliceLength;
    }

    @Override
    public IndexInput slice(String description, long offset, long length) throws IOException {
        if (offset < 0 || length < 0 || offset + length > sliceLength) {
            throw new IllegalArgumentException("slice [%d, +%d) of %s".formatted(offset, length, this));
        }
        return new ColdIndexInput(region, file, getFullSliceDescription(description), sliceStart + offset, length);
    }
}
