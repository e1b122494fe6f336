package io.cordwood.logblock.parquet;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import io.cordwood.logblock.encoding.MalformedPageException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import org.apache.parquet.format.CompressionCodec;
import org.brotli.dec.BrotliInputStream;
import org.xerial.snappy.Snappy;

/** A decompressor of pages that other programs wrote. Stateless, thread-safe. */
public final class PageCodec {
    /**
     * The maximum decompressed size of a page in bytes; the largest pages of a known writer are DuckDB's, of 100 MiB.
     */
    static final int MAX_PAGE = 1 << 27;
    /** The frame size that zstd reports for an unknown size. */
    private static final long NOT_SAID = -1;
    /** The maximum ratio: a block of 4 bytes may decompress to 128 KiB. */
    private static final int MAX_ZSTD_RATIO = 1 << 15;
    /** The maximum ratio: each further byte of a match's length adds up to 255. */
    private static final int MAX_LZ4_RATIO = 255;

    private PageCodec() {}

    /** Whether pages with this codec can be read: all codecs but LZO, which no current writer uses. */
    public static boolean isReadable(CompressionCodec codec) {
        return codec != CompressionCodec.LZO;
    }

    /**
     * Decompresses to exactly {@code size} bytes. The size comes from an untrusted header, so it allocates no more
     * memory than the compressed bytes could fill.
     *
     * @throws MalformedPageException if the bytes are not of this codec, or of another size
     * @throws OversizedPageException if the size exceeds the maximum of a page
     */
    static byte[] decompress(CompressionCodec codec, byte[] source, int from, int count, int size) {
        if (size < 0) {
            throw new MalformedPageException("a page of %d bytes".formatted(size));
        }
        if (size > MAX_PAGE) {
            throw new OversizedPageException("a page of %d bytes".formatted(size), MAX_PAGE);
        }
        if (size == 0 && count == 0) {
            return new byte[0];
        }
        try {
            return switch (codec) {
                case UNCOMPRESSED -> stored(source, from, count, size);
                case ZSTD -> zstd(source, from, count, size);
                case SNAPPY -> snappy(source, from, count, size);
                case GZIP -> gzip(source, from, count, size);
                case BROTLI -> brotli(source, from, count, size);
                case LZ4_RAW -> lz4(source, from, count, size);
                case LZ4 -> hadoopLz4(source, from, count, size);
                case LZO -> throw new MalformedPageException("codec %s cannot be read".formatted(codec));
            };
        } catch (IOException | ZstdException | LZ4Exception e) {
            throw new MalformedPageException("not %s: %s".formatted(codec, e.getMessage()));
        }
    }

    private static byte[] stored(byte[] source, int from, int count, int size) {
        require(count == size, count, size);
        return Arrays.copyOfRange(source, from, from + count);
    }

    private static byte[] zstd(byte[] source, int from, int count, int size) {
        // A streaming writer does not know the size when the frame begins
        long said = Zstd.getFrameContentSize(source, from, count);
        boolean fits = said == NOT_SAID
                || said == size
                || said >= 0 && said < size && Zstd.findFrameCompressedSize(source, from, count) < count;
        require(fits, said, size);
        require(size <= (long) MAX_ZSTD_RATIO * count, count, size);
        byte[] out = new byte[size];
        long written = Zstd.decompressByteArray(out, 0, size, source, from, count);
        require(written == size, written, size);
        return out;
    }

    private static byte[] snappy(byte[] source, int from, int count, int size) throws IOException {
        int said = Snappy.uncompressedLength(source, from, count);
        // A copy of 3 bytes expands to up to 64
        require(said == size && 3L * size <= 64L * count, said, size);
        byte[] out = new byte[size];
        int written = Snappy.uncompress(source, from, count, out, 0);
        require(written == size, written, size);
        return out;
    }

    private static byte[] gzip(byte[] source, int from, int count, int size) throws IOException {
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(source, from, count))) {
            return streamed(in, size);
        }
    }

    private static byte[] brotli(byte[] source, int from, int count, int size) throws IOException {
        try (InputStream in = new BrotliInputStream(new ByteArrayInputStream(source, from, count))) {
            return streamed(in, size);
        }
    }

    private static byte[] streamed(InputStream in, int size) throws IOException {
        // Allocates memory as bytes arrive
        byte[] out = in.readNBytes(size);
        require(out.length == size, out.length, size);
        // The frame may end with a checksum
        require(in.read() < 0, size + 1L, size);
        return out;
    }

    private static byte[] lz4(byte[] source, int from, int count, int size) {
        require(size <= (long) MAX_LZ4_RATIO * count, count, size);
        byte[] out = new byte[size];
        int written = LZ4Factory.safeInstance().safeDecompressor().decompress(source, from, count, out, 0, size);
        require(written == size, written, size);
        return out;
    }

    /**
     * Decompresses Hadoop's framing: each block begins with its size and consists of chunks, each after its compressed
     * size. Arrow once used the same name for the codec now called {@code LZ4_RAW}, so bytes without framing are read
     * as that.
     */
    private static byte[] hadoopLz4(byte[] source, int from, int count, int size) {
        require(size <= (long) MAX_LZ4_RATIO * count, count, size);
        return framedLz4(source, from, count, size).orElseGet(() -> lz4(source, from, count, size));
    }

    /** Decompresses framed bytes; empty if the sizes of blocks and chunks do not add up. */
    private static Optional<byte[]> framedLz4(byte[] source, int from, int count, int size) {
        ByteBuffer in = ByteBuffer.wrap(source, from, count);
        byte[] out = new byte[size];
        int at = 0;
        int blockEnd = 0;
        try {
            while (in.hasRemaining()) {
                if (at == blockEnd) {
                    blockEnd = Math.addExact(at, in.getInt());
                }
                int chunk = in.getInt();
                if (chunk <= 0 || chunk > in.remaining() || blockEnd <= at || blockEnd > size) {
                    return Optional.empty();
                }
                at += LZ4Factory.safeInstance()
                        .safeDecompressor()
                        .decompress(source, in.position(), chunk, out, at, blockEnd - at);
                in.position(in.position() + chunk);
            }
        } catch (LZ4Exception | BufferUnderflowException | ArithmeticException e) {
            return Optional.empty();
        }
        return at == size ? Optional.of(out) : Optional.empty();
    }

    private static void require(boolean fits, long found, int size) {
        if (!fits) {
            throw new MalformedPageException("%d bytes for a page of %d".formatted(found, size));
        }
    }
}
