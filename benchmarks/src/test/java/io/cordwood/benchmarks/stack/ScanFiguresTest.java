package io.cordwood.benchmarks.stack;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ScanFiguresTest {
    @Test
    void sumsTheScansOfAPlan() {
        assertThat(ScanFigures.parse("""
                        connector metrics:
                          'LogBlocks opened' = LongCount{total=2}
                          'bytes read' = LongCount{total=4096}
                          'requests' = LongCount{total=3}
                        connector metrics:
                          'bytes read' = LongCount{total=4}
                          'requests' = LongCount{total=1}
                        """)).isEqualTo(new ScanFigures(4_100, 4));
    }

    @Test
    void planWithoutCountersReadNothing() {
        assertThat(ScanFigures.parse("Values")).isEqualTo(new ScanFigures(0, 0));
    }
}
