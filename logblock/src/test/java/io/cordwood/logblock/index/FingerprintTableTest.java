package io.cordwood.logblock.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.logblock.encoding.ByteSink;
import io.cordwood.logblock.encoding.ByteSource;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FingerprintTableTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 127, 128, 5000, 100_000})
    void everyEntryIsFoundAndNothingElse(int count) throws IOException {
        Random random = new Random(count);
        int[] fingerprints = random.ints(count).toArray();
        int blocks = 1 + count / 50;
        int[] blockOf = random.ints(count, 0, blocks).toArray();
        long[] entries = IntStream.range(0, count)
                .mapToLong(i -> FingerprintTable.entry(fingerprints[i], blockOf[i]))
                .sorted()
                .toArray();
        ByteSink cold = new ByteSink(16);
        cold.writeInt(42);
        ByteSink hot = new ByteSink(16);
        FingerprintTable.write(entries, blocks, cold).writeHeader(hot);
        FingerprintTable table = FingerprintTable.readHeader(new ByteSource(hot.bytes(), 0, hot.size()));
        FingerprintTable.Bytes bytes =
                (offset, length) -> Arrays.copyOfRange(cold.bytes(), 4 + offset, 4 + offset + length);

        for (int i = 0; i < count; i++) {
            assertThat(table.blocks(fingerprints[i], bytes)).contains(blockOf[i]);
        }
        int[] sorted = IntStream.of(fingerprints).sorted().toArray();
        for (int i = 0; i < 2000; i++) {
            int other = random.nextInt();
            if (Arrays.binarySearch(sorted, other) < 0) {
                assertThat(table.blocks(other, bytes)).isEmpty();
            }
        }
    }
}
