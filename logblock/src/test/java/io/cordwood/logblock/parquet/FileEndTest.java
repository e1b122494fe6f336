package io.cordwood.logblock.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.logblock.io.ByteRange;
import io.cordwood.logblock.io.LogBlockException;
import io.cordwood.logblock.io.RangeReader;
import io.cordwood.logblock.io.ReadMetrics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FileEndTest {
    private static final int LENGTH = 300;

    private final byte[] object = new byte[LENGTH];
    private final List<ByteRange> asked = new ArrayList<>();
    private final ReadMetrics metrics = new ReadMetrics();

    private final RangeReader in = new RangeReader() {
        @Override
        public String location() {
            return "file:///l/object";
        }

        @Override
        public long length() {
            return object.length;
        }

        @Override
        public List<byte[]> read(List<ByteRange> ranges) {
            asked.addAll(ranges);
            return ranges.stream().map(FileEndTest.this::bytes).toList();
        }
    };

    private byte[] bytes(ByteRange range) {
        return Arrays.copyOfRange(object, (int) range.offset(), (int) range.end());
    }

    @Test
    void everyByteIsReadAtMostOnceAndIsRight() throws IOException {
        SplittableRandom random = new SplittableRandom(7);
        random.nextBytes(object);
        for (int round = 0; round < 1_000; round++) {
            asked.clear();
            FileEnd fileEnd = FileEnd.unread(in);
            for (int growth = random.nextInt(3); growth > 0; growth--) {
                fileEnd = fileEnd.grownTo(random.nextInt(LENGTH + 1), metrics);
            }
            int[] bounds = random.ints(8, 0, LENGTH + 1).sorted().toArray();
            List<ByteRange> ranges = new ArrayList<>();
            for (int i = 0; i < bounds.length; i += 2) {
                ranges.add(new ByteRange(bounds[i], bounds[i + 1] - bounds[i]));
            }
            assertThat(fileEnd.read(ranges, metrics))
                    .containsExactlyElementsOf(ranges.stream().map(this::bytes).toList());
            int[] times = new int[LENGTH];
            for (ByteRange range : asked) {
                for (long at = range.offset(); at < range.end(); at++) {
                    times[(int) at]++;
                }
            }
            assertThat(Arrays.stream(times).max().orElse(0)).isLessThanOrEqualTo(1);
        }
    }

    @Test
    void whatLiesBeyondTheEndIsDamage() throws IOException {
        FileEnd fileEnd = FileEnd.unread(in).grownTo(100, metrics);
        for (ByteRange range : List.of(
                new ByteRange(LENGTH - 1, 2),
                new ByteRange(LENGTH + 1, 0),
                new ByteRange(Long.MAX_VALUE, 6),
                new ByteRange(0, LENGTH + 1))) {
            assertThatThrownBy(() -> fileEnd.read(List.of(range), metrics))
                    .isInstanceOf(LogBlockException.class)
                    .hasMessageContaining("damaged");
        }
        assertThat(fileEnd.find(LENGTH - 100, 100)).isPresent();
        assertThat(fileEnd.find(LENGTH - 101, 1)).isEmpty();
        assertThat(fileEnd.find(LENGTH - 1, 2)).isEmpty();
    }
}
