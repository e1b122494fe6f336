package io.cordwood.logblock.parquet;

import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;

/** Zstandard with a context for each thread. Thread-safe. */
public final class Zstd {
    private static final ThreadLocal<ZstdCompressCtx> COMPRESS = ThreadLocal.withInitial(ZstdCompressCtx::new);
    private static final ThreadLocal<ZstdDecompressCtx> DECOMPRESS = ThreadLocal.withInitial(ZstdDecompressCtx::new);

    private Zstd() {}

    /** Appends the compressed bytes to {@code out} and returns their number. */
    public static int compress(byte[] source, int from, int count, int level, ByteSink out) {
        int bound = (int) com.github.luben.zstd.Zstd.compressBound(count);
        out.ensure(bound);
        ZstdCompressCtx context = COMPRESS.get();
        context.setLevel(level);
        int written = context.compressByteArray(out.bytes(), out.size(), bound, source, from, count);
        out.advance(written);
        return written;
    }

    /** Fills a buffer with the decompressed bytes; false if they are not exactly as many. */
    public static boolean decompress(byte[] source, int from, int count, byte[] out) {
        try {
            return DECOMPRESS.get().decompressByteArray(out, 0, out.length, source, from, count) == out.length;
        } catch (ZstdException e) {
            return false;
        }
    }

    /** Decompresses to exactly {@code size} bytes, at the start of a buffer. */
    static byte[] decompress(byte[] source, int from, int count, int size, PageBuffers buffers) {
        // What the frame says is checked before memory is taken: page headers have no checksum.
        if (count == 0 || com.github.luben.zstd.Zstd.getFrameContentSize(source, from, count) != size) {
            throw new MalformedPageException("not a zstd frame of %d bytes".formatted(size));
        }
        byte[] out = buffers.take(size);
        try {
            int written = DECOMPRESS.get().decompressByteArray(out, 0, size, source, from, count);
            if (written != size) {
                throw new MalformedPageException("%d bytes after decompression, not %d".formatted(written, size));
            }
        } catch (ZstdException e) {
            throw new MalformedPageException("not zstd: " + e.getMessage());
        }
        return out;
    }
}
