package io.cordwood.benchmarks.logblock;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.logblock.io.ByteRange;
import io.cordwood.logblock.io.RangeReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SimulatedStoreTest {
    private final SimulatedStore store = new SimulatedStore(Duration.ZERO, Long.MAX_VALUE / 2);

    @Test
    void givesTheBytesOfTheRanges(@TempDir Path directory) throws Exception {
        byte[] bytes = new byte[100_000];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 31 >>> 3);
        }
        Path file = Files.write(directory.resolve("object"), bytes);
        List<ByteRange> ranges = List.of(
                new ByteRange(0, 10), new ByteRange(12, 0), new ByteRange(500, 20), new ByteRange(90_000, 10_000));

        try (RangeReader in = store.open(file)) {
            List<byte[]> read = in.read(ranges);

            for (int i = 0; i < ranges.size(); i++) {
                int from = (int) ranges.get(i).offset();
                assertThat(read.get(i)).isEqualTo(Arrays.copyOfRange(bytes, from, (int)
                        ranges.get(i).end()));
            }
        }
        assertThat(store.requests()).isEqualTo(2);
        assertThat(store.bytes()).isEqualTo(520 + 10_000);
        assertThat(store.roundTrips()).isEqualTo(1);
    }

    @Test
    void nearRangesAreOneRequest() {
        assertThat(SimulatedStore.merge(
                        List.of(new ByteRange(0, 10), new ByteRange(16_394, 1), new ByteRange(32_780, 1))))
                .containsExactly(new ByteRange(0, 16_395), new ByteRange(32_780, 1));
    }

    @Test
    void mergedRequestsStayBounded() {
        assertThat(SimulatedStore.merge(List.of(new ByteRange(0, 8 << 20), new ByteRange(8 << 20, 1))))
                .hasSize(2);
    }

    @Test
    void callsThatWaitTogetherAreOneRoundTrip() {
        store.begin(1_000, 30, 1, 1);
        store.begin(1_015, 30, 1, 1);
        store.begin(1_030, 30, 1, 1);
        store.begin(1_045, 30, 1, 1);

        assertThat(store.requests()).isEqualTo(4);
        assertThat(store.roundTrips()).isEqualTo(2);
    }
}
