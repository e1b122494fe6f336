package io.cordwood.logblock.parquet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.logblock.encoding.ByteSink;
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
                ? Zstd.compressText(text, 0, text.length, level, out)
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
}
