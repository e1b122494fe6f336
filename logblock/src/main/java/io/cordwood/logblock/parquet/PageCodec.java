package io.cordwood.logblock.parquet;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.zip.GZIPInputStream;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import org.apache.parquet.format.CompressionCodec;
import org.xerial.snappy.Snappy;

/** Decompresses pages that other programs wrote. Stateless, thread-safe. */
public final class PageCodec {
    private PageCodec() {}

    /** Whether pages compressed so can be read: not LZO, Brotli and Hadoop's LZ4, which hardly a writer has. */
    public static boolean isReadable(CompressionCodec codec) {
        return switch (codec) {
            case UNCOMPRESSED, SNAPPY, GZIP, ZSTD, LZ4_RAW -> true;
            case LZO, BROTLI, LZ4 -> false;
        };
    }

    /**
     * Decompresses to exactly {@code size} bytes.
     *
     * @throws MalformedPageException if the bytes are not those of this codec, or of another size
     */
    static byte[] decompress(CompressionCodec codec, byte[] source, int from, int count, int size) {
        if (size < 0) {
            throw new MalformedPageException("a page of %d bytes".formatted(size));
        }
        byte[] out = new byte[size];
        long written;
        try {
            written = size == 0 && count == 0 ? 0 : decompress(codec, source, from, count, out);
        } catch (IOException | ZstdException | LZ4Exception e) {
            throw new MalformedPageException("not %s: %s".formatted(codec, e.getMessage()));
        }
        if (written != size) {
            throw new MalformedPageException("%d bytes after decompression, not %d".formatted(written, size));
        }
        return out;
    }

    private static long decompress(CompressionCodec codec, byte[] source, int from, int count, byte[] out)
            throws IOException {
        return switch (codec) {
            case UNCOMPRESSED -> {
                System.arraycopy(source, from, out, 0, Math.min(out.length, count));
                yield count;
            }
            case ZSTD -> Zstd.decompressByteArray(out, 0, out.length, source, from, count);
            case SNAPPY ->
                Snappy.uncompressedLength(source, from, count) == out.length
                        ? Snappy.uncompress(source, from, count, out, 0)
                        : -1;
            case GZIP -> {
                try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(source, from, count))) {
                    yield in.readNBytes(out, 0, out.length);
                }
            }
            case LZ4_RAW ->
                LZ4Factory.safeInstance().safeDecompressor().decompress(source, from, count, out, 0, out.length);
            case LZO, BROTLI, LZ4 -> throw new MalformedPageException("codec %s cannot be read".formatted(codec));
        };
    }
}
