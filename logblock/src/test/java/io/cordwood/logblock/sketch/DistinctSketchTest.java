package io.cordwood.logblock.sketch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.StringVector;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DistinctSketchTest {
    /** Three standard errors. */
    private static final double TOLERANCE = 0.39;

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 30, 200, 1_000, 100_000, 3_000_000})
    void estimatesNumbers(int distinct) {
        assertClose(numbers(LongStream.range(0, distinct).toArray()), distinct);
        assertClose(numbers(LongStream.range(0, distinct).map(n -> n << 40).toArray()), distinct);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 30, 200, 1_000, 100_000})
    void estimatesTexts(int distinct) {
        String[] texts = IntStream.range(0, distinct)
                .mapToObj(n -> "10.0." + n / 256 + "." + n % 256)
                .toArray(String[]::new);
        DistinctSketch.Builder builder = new DistinctSketch.Builder();
        builder.add(StringVector.of(texts), Optional.empty(), texts.length);
        assertClose(builder.build(), distinct);
    }

    @Test
    void repeatedValuesCountOnce() {
        assertThat(numbers(LongStream.range(0, 100_000).map(n -> n % 8).toArray())
                        .estimate())
                .isCloseTo(8, within(2.0));
    }

    @Test
    void nothingIsZero() {
        assertThat(numbers(new long[0]).estimate()).isZero();
    }

    @Test
    void twoTogetherAreThatOfAllRows() {
        DistinctSketch one = numbers(LongStream.range(0, 6_000).toArray());
        DistinctSketch other = numbers(LongStream.range(4_000, 10_000).toArray());
        assertThat(one.and(other))
                .isEqualTo(numbers(LongStream.range(0, 10_000).toArray()))
                .isEqualTo(other.and(one));
    }

    @Test
    void isReadAsItWasWritten() {
        DistinctSketch sketch = numbers(LongStream.range(0, 500).toArray());
        ByteBuffer bytes = ByteBuffer.allocate(DistinctSketch.SIZE);
        sketch.write(bytes);
        assertThat(bytes.hasRemaining()).isFalse();
        assertThat(DistinctSketch.read(bytes.flip())).isEqualTo(sketch);
    }

    private static DistinctSketch numbers(long[] values) {
        DistinctSketch.Builder builder = new DistinctSketch.Builder();
        builder.add(new LongVector(values), Optional.empty(), values.length);
        return builder.build();
    }

    private static void assertClose(DistinctSketch sketch, int distinct) {
        assertThat(sketch.estimate()).isCloseTo(distinct, within(Math.max(1.0, TOLERANCE * distinct)));
    }
}
