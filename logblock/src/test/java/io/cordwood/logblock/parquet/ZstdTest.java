package io.cordwood.logblock.parquet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.logblock.encoding.ByteSink;
import io.cordwood.logblock.encoding.MalformedPageException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ZstdTest {
    private static byte[] lines() {
        Random random = new Random(7);
        StringBuilder lines = new StringBuilder();
        while (lines.length() < 128 << 10) {
            lines.append("INFO o.c.service.Orders#%d TraceID: %016x [create][user %d][took %d ms]\n"
                    .formatted(random.nextInt(400), random.nextLong(), random.nextInt(5000), random.nextInt(900)));
        }
        return lines.toString().getBytes(UTF_8);
    }

    private static int compressed(byte[] text, int level, boolean isText) {
        ByteSink out = new ByteSink(16);
        int size = isText
                ? Zstd.compressText(text, 0, text.length, level, 64 << 10, out)
                : Zstd.compress(text, 0, text.length, level, out);
        byte[] back = new byte[text.length];
        assertThat(Zstd.decompress(out.bytes(), 0, size, back, back.length)).isTrue();
        assertThat(back).isEqualTo(text);
        return size;
    }

    @Test
    void linesTakeFewerBytesAsText() {
        byte[] lines = lines();
        assertThat(compressed(lines, 9, true)).isLessThan(compressed(lines, 9, false) * 99 / 100);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 9, 15, 22})
    void oneKindDoesNotChangeTheOther(int level) {
        byte[] lines = lines();
        int usual = compressed(lines, level, false);
        int text = compressed(lines, level, true);
        assertThat(compressed(lines, level, false)).isEqualTo(usual);
        assertThat(compressed(lines, level, true)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4095, 4096, 4097, 8192, 50_000})
    void textOfAnySizeIsWholeInBlocks(int size) {
        byte[] text = Arrays.copyOf(lines(), size);
        ByteSink out = new ByteSink(16);
        out.write(1);
        int count = Zstd.compressText(text, 0, size, 3, 4096, out);
        assertThat(out.size()).isEqualTo(1 + count);
        byte[] back = new byte[size];
        assertThat(Zstd.decompress(out.bytes(), 1, count, back, size)).isTrue();
        assertThat(back).isEqualTo(text);
        for (int first = 1; first < size; first = 3 * first + 1) {
            byte[] start = Zstd.decompressFirst(out.bytes(), 1, count, size, first, new PageBuffers());
            assertThat(Arrays.copyOf(start, first)).isEqualTo(Arrays.copyOf(text, first));
        }
    }

    /** The bytes of later blocks need not be there. */
    @Test
    void theFirstBlockIsDecompressedAlone() {
        byte[] text = lines();
        ByteSink out = new ByteSink(16);
        int count = Zstd.compressText(text, 0, text.length, 3, 64 << 10, out);
        byte[] half = Arrays.copyOf(out.bytes(), count / 2 + 1000);
        int first = (64 << 10) - 1;
        byte[] start = Zstd.decompressFirst(half, 0, half.length, text.length, first, new PageBuffers());
        assertThat(Arrays.copyOf(start, first)).isEqualTo(Arrays.copyOf(text, first));
        assertThatThrownBy(
                        () -> Zstd.decompressFirst(half, 0, half.length, text.length, text.length, new PageBuffers()))
                .isInstanceOf(MalformedPageException.class);
    }

    /** Random bytes take more than their size, and more with each block. */
    @Test
    void textThatCannotBeCompressedFits() {
        byte[] noise = new byte[100_000];
        new Random(3).nextBytes(noise);
        ByteSink out = new ByteSink(16);
        int count = Zstd.compressText(noise, 0, noise.length, 3, 1024, out);
        assertThat(count).isGreaterThan(noise.length);
        byte[] back = new byte[noise.length];
        assertThat(Zstd.decompress(out.bytes(), 0, count, back, back.length)).isTrue();
        assertThat(back).isEqualTo(noise);
    }
}
