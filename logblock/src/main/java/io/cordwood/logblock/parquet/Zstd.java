package io.cordwood.logblock.parquet;

import com.github.luben.zstd.EndDirective;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import io.cordwood.logblock.encoding.ByteSink;
import io.cordwood.logblock.encoding.MalformedPageException;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;

/** Zstandard with a context for each thread. Thread-safe. */
public final class Zstd {
    /** The size of a frame's blocks before compression, unless they are made smaller. */
    static final int MAX_BLOCK = 128 << 10;

    /** The compression level decides, how few bytes are worth a reference. */
    private static final int USUAL_MATCH = 0;
    /** Lines of a log repeat whole phrases: to refer back to fewer bytes mostly costs more than it saves. */
    private static final int TEXT_MATCH = 6;

    private static final int BLOCK_HEADER = 3;

    private static final Cleaner CLEANER = Cleaner.create();
    private static final ThreadLocal<Contexts> CONTEXTS = ThreadLocal.withInitial(Contexts::new);

    private Zstd() {}

    /**
     * The contexts of a thread. They hold native memory, at high levels several megabytes, which is released after the
     * thread has ended.
     */
    private static final class Contexts {
        private final ZstdCompressCtx compress = new ZstdCompressCtx();
        private final ZstdDecompressCtx decompress = new ZstdDecompressCtx();

        Contexts() {
            CLEANER.register(this, compress::close);
            CLEANER.register(this, decompress::close);
        }
    }

    /** Appends the compressed bytes to {@code out} and returns their number. */
    public static int compress(byte[] source, int from, int count, int level, ByteSink out) {
        int bound = (int) com.github.luben.zstd.Zstd.compressBound(count);
        out.ensure(bound);
        ZstdCompressCtx context = CONTEXTS.get().compress;
        context.setLevel(level);
        context.setMinMatch(USUAL_MATCH);
        int written = context.compressByteArray(out.bytes(), out.size(), bound, source, from, count);
        out.advance(written);
        return written;
    }

    /**
     * Like {@link #compress}, for values of text: fewer bytes at levels from 5 to 9, as many at 3.
     *
     * @param block size of the frame's blocks before compression, at most {@link #MAX_BLOCK}. A reader may
     *     decompress the first blocks only
     */
    static int compressText(byte[] source, int from, int count, int level, int block, ByteSink out) {
        int headers = (1 + count / block) * BLOCK_HEADER;
        int bound = (int) com.github.luben.zstd.Zstd.compressBound(count) + headers;
        out.ensure(bound);
        ByteBuffer target = ByteBuffer.wrap(out.bytes(), out.size(), bound);
        ZstdCompressCtx context = CONTEXTS.get().compress;
        context.reset();
        context.setLevel(level);
        context.setMinMatch(TEXT_MATCH);
        context.setPledgedSrcSize(count);
        int done = 0;
        do {
            int size = count - done < block + smallRest(block) ? count - done : block;
            ByteBuffer next = ByteBuffer.wrap(source, from + done, size);
            done += size;
            // A block ends where it is flushed
            EndDirective end = done < count ? EndDirective.FLUSH : EndDirective.END;
            if (!context.compressByteBufferStream(target, next, end)) {
                throw new IllegalStateException("%d bytes do not fit into %d".formatted(count, bound));
            }
        } while (done < count);
        int written = target.position() - out.size();
        out.advance(written);
        return written;
    }

    /** Fewer bytes than these are no block of their own at the end of text, but belong to the one before. */
    static int smallRest(int block) {
        return block / 8;
    }

    /** Decompresses to the start of a buffer; false if the bytes are not exactly {@code size}. */
    public static boolean decompress(byte[] source, int from, int count, byte[] out, int size) {
        try {
            return CONTEXTS.get().decompress.decompressByteArray(out, 0, size, source, from, count) == size;
        } catch (ZstdException e) {
            return false;
        }
    }

    /** Decompresses to exactly {@code size} bytes, at the start of a buffer. */
    static byte[] decompress(byte[] source, int from, int count, int size, PageBuffers buffers) {
        requireFrame(source, from, count, size);
        byte[] out = buffers.take(size);
        try {
            int written = CONTEXTS.get().decompress.decompressByteArray(out, 0, size, source, from, count);
            if (written != size) {
                throw new MalformedPageException("%d bytes after decompression, not %d".formatted(written, size));
            }
        } catch (ZstdException e) {
            throw new MalformedPageException("not zstd: " + e.getMessage());
        }
        return out;
    }

    /** The page header is not covered by a checksum, so the frame's size is checked before memory is allocated. */
    private static void requireFrame(byte[] source, int from, int count, int size) {
        if (count == 0 || com.github.luben.zstd.Zstd.getFrameContentSize(source, from, count) != size) {
            throw new MalformedPageException("not a zstd frame of %d bytes".formatted(size));
        }
    }

    /**
     * Decompresses only the first bytes of a frame, at the start of a buffer. It decompresses whole blocks, and with
     * the last byte of a block the next one too.
     *
     * @param size size of the whole frame
     * @param first how many bytes, at most {@code size}
     */
    static byte[] decompressFirst(byte[] source, int from, int count, int size, int first, PageBuffers buffers) {
        requireFrame(source, from, count, size);
        byte[] out = buffers.take(first);
        ByteBuffer target = ByteBuffer.wrap(out, 0, first);
        ZstdDecompressCtx context = CONTEXTS.get().decompress;
        try {
            context.decompressByteBufferStream(target, ByteBuffer.wrap(source, from, count));
        } catch (ZstdException e) {
            throw new MalformedPageException("not zstd: " + e.getMessage());
        } finally {
            // The rest of the frame is not asked for
            context.reset();
        }
        if (target.hasRemaining()) {
            throw new MalformedPageException(
                    "%d bytes after decompression, not %d".formatted(target.position(), first));
        }
        return out;
    }
}
