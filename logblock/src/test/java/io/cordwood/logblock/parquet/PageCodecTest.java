package io.cordwood.logblock.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStream;
import com.sun.management.ThreadMXBean;
import io.cordwood.logblock.encoding.MalformedPageException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.GZIPOutputStream;
import net.jpountz.lz4.LZ4Factory;
import org.apache.parquet.format.CompressionCodec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.xerial.snappy.Snappy;

class PageCodecTest {
    private static final byte[] VALUES = new byte[100_000];

    private static byte[] compressed(CompressionCodec codec) throws IOException {
        return switch (codec) {
            case UNCOMPRESSED -> VALUES;
            case SNAPPY -> Snappy.compress(VALUES);
            case GZIP -> gzip();
            case ZSTD -> Zstd.compress(VALUES);
            case LZ4_RAW -> LZ4Factory.safeInstance().fastCompressor().compress(VALUES);
            case BROTLI -> HexFormat.of().parseHex("5b9f86014002201e0b24cb2f00");
            case LZ4 -> hadoopLz4(VALUES.length / 2);
            case LZO -> throw new IllegalArgumentException("no " + codec);
        };
    }

    /** A block of two chunks, as pages are that are larger than Hadoop's buffer, and one of one. */
    private static byte[] hadoopLz4(int block) {
        byte[] half = LZ4Factory.safeInstance().fastCompressor().compress(VALUES, 0, block / 2);
        byte[] whole = LZ4Factory.safeInstance().fastCompressor().compress(VALUES, 0, block);
        ByteBuffer out = ByteBuffer.allocate(5 * Integer.BYTES + 2 * half.length + whole.length);
        out.putInt(block).putInt(half.length).put(half).putInt(half.length).put(half);
        out.putInt(block).putInt(whole.length).put(whole);
        return out.array();
    }

    private static byte[] gzip() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(VALUES);
        }
        return out.toByteArray();
    }

    @ParameterizedTest
    @EnumSource(names = {"UNCOMPRESSED", "SNAPPY", "GZIP", "ZSTD", "BROTLI", "LZ4", "LZ4_RAW"})
    void onlyTheSizeThatThereIsIsRead(CompressionCodec codec) throws IOException {
        byte[] bytes = compressed(codec);
        assertThat(PageCodec.decompress(codec, bytes, 0, bytes.length, VALUES.length))
                .isEqualTo(VALUES);
        for (int size : new int[] {-1, 0, VALUES.length - 1, VALUES.length + 1}) {
            assertThatThrownBy(() -> PageCodec.decompress(codec, bytes, 0, bytes.length, size))
                    .as("%d bytes", size)
                    .isInstanceOf(MalformedPageException.class);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"UNCOMPRESSED", "SNAPPY", "GZIP", "ZSTD", "BROTLI", "LZ4", "LZ4_RAW"})
    void aSizeThatTheBytesCannotHaveTakesNoMemory(CompressionCodec codec) throws IOException {
        byte[] bytes = compressed(codec);
        assertThatThrownBy(() -> PageCodec.decompress(codec, bytes, 0, bytes.length, Integer.MAX_VALUE - 8))
                .isInstanceOf(OversizedPageException.class)
                .hasMessageContaining("2147483639 bytes");
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        assertThatThrownBy(() -> PageCodec.decompress(codec, bytes, 0, bytes.length, PageCodec.MAX_PAGE))
                .isInstanceOf(MalformedPageException.class);
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(PageCodec.MAX_PAGE / 8);
    }

    /** Arrow called it so before there was a name for it. */
    @Test
    void lz4MayLackHadoopsFrames() throws IOException {
        byte[] bytes = compressed(CompressionCodec.LZ4_RAW);
        assertThat(PageCodec.decompress(CompressionCodec.LZ4, bytes, 0, bytes.length, VALUES.length))
                .isEqualTo(VALUES);
    }

    /** As Hadoop's writers compress: a stream does not know its size when its frame begins. */
    @Test
    void zstdMayNotSayItsSizeOrHaveSeveralFrames() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (OutputStream zstd = new ZstdOutputStream(out)) {
            zstd.write(VALUES);
        }
        byte[] streamed = out.toByteArray();
        assertThat(PageCodec.decompress(CompressionCodec.ZSTD, streamed, 0, streamed.length, VALUES.length))
                .isEqualTo(VALUES);
        out.writeBytes(Zstd.compress(VALUES));
        byte[] both = out.toByteArray();
        assertThat(PageCodec.decompress(CompressionCodec.ZSTD, both, 0, both.length, 2 * VALUES.length))
                .hasSize(2 * VALUES.length);
        byte[] second = Arrays.copyOfRange(both, streamed.length, both.length);
        byte[] twice = Arrays.copyOf(second, 2 * second.length);
        System.arraycopy(second, 0, twice, second.length, second.length);
        assertThat(PageCodec.decompress(CompressionCodec.ZSTD, twice, 0, twice.length, 2 * VALUES.length))
                .hasSize(2 * VALUES.length);
    }
}
