package io.cordwood.logblock.vector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FrequencySketchTest {
    @Test
    void countsUpToItsMaximum() {
        FrequencySketch sketch = FrequencySketch.of(1024);
        for (int times = 1; times <= 20; times++) {
            sketch.add(42);
            assertThat(sketch.count(42)).isEqualTo(Math.min(times, 15));
        }
    }

    @Test
    void whatComesOftenStandsOutOfManyTimesMoreHashesThanCounters() {
        FrequencySketch sketch = FrequencySketch.of(1 << 12);
        long cold = 8L * sketch.size();
        for (long hash = 1; hash <= cold; hash++) {
            sketch.add(FrequencySketch.mix(hash));
            if (hash % 100 == 0) {
                sketch.add(0);
            }
        }
        assertThat(sketch.count(0)).isGreaterThanOrEqualTo(7);
        long asHigh = LongStream.rangeClosed(1, cold)
                .filter(hash -> sketch.count(FrequencySketch.mix(hash)) >= 7)
                .count();
        assertThat(asHigh).isLessThan(cold / 1000);
    }

    @Test
    void whatCameLongAgoIsForgotten() {
        FrequencySketch sketch = FrequencySketch.of(1 << 12);
        for (int times = 0; times < 15; times++) {
            sketch.add(0);
        }
        for (long hash = 1; hash <= 5L * sketch.size(); hash++) {
            sketch.add(FrequencySketch.mix(hash));
        }
        assertThat(sketch.count(0)).isLessThan(5);
    }
}
