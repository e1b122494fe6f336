package io.cordwood.logblock.parquet;

import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import io.cordwood.logblock.encoding.ByteSink;
import io.cordwood.logblock.encoding.MalformedPageException;
import java.lang.ref.Cleaner;

/** Zstandard with a context for each thread. Thread-safe. */
public final class Zstd {
    /** The compression level decides, how few bytes are worth a reference. */
    private static final int USUAL_MATCH = 0;
    /** Lines of a log repeat whole phrases: to refer back to fewer bytes mostly costs more than it saves. */
    private static final int TEXT_MATCH = 6;

    private static final Cleaner CLEANER = Cleaner.create();
    private static final ThreadLocal<Contexts> CONTEXTS = ThreadLocal.withInitial(Contexts::new);

    private Zstd() {}

    /**
     * The contexts of a thread. They hold up to a megabyte of native memory, which is released after the thread has
     * ended.
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
        return compress(source, from, count, level, USUAL_MATCH, out);
    }

    /** Like {@link #compress}, for values of text: fewer bytes at levels from 5 to 9, as many at 3. */
    static int compressText(byte[] source, int from, int count, int level, ByteSink out) {
        return compress(source, from, count, level, TEXT_MATCH, out);
    }

    /** @param leastMatch least number of bytes that are replaced by a reference to the same ones before */
    private static int compress(byte[] source, int from, int count, int level, int leastMatch, ByteSink out) {
        int bound = (int) com.github.luben.zstd.Zstd.compressBound(count);
        out.ensure(bound);
        ZstdCompressCtx context = CONTEXTS.get().compress;
        context.setLevel(level);
        context.setMinMatch(leastMatch);
        int written = context.compressByteArray(out.bytes(), out.size(), bound, source, from, count);
        out.advance(written);
        return written;
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
        // The frame's size is checked before memory is allocated, because page headers have no checksum.
        if (count == 0 || com.github.luben.zstd.Zstd.getFrameContentSize(source, from, count) != size) {
            throw new MalformedPageException("not a zstd frame of %d bytes".formatted(size));
        }
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
}
