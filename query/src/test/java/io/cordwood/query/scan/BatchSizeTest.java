package io.cordwood.query.scan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BatchSizeTest {
    private final BatchSize batch = new BatchSize(100);

    @Test
    void growsWhileValuesAreSmall() {
        assertThat(batch.next(1000)).isEqualTo(1);
        assertThat(batch.next(1000)).isEqualTo(4);
        assertThat(batch.next(1000)).isEqualTo(16);
        assertThat(batch.next(10)).isEqualTo(10);
        assertThat(batch.next(1000)).isEqualTo(100);
    }

    @Test
    void largeValuesMakeItSmaller() {
        for (int i = 0; i < 5; i++) {
            batch.next(1000);
        }
        batch.add(100 * (1 << 20), 100);
        batch.add(100 * (1 << 20), 100);
        assertThat(batch.next(1000)).isEqualTo(8);
        batch.add(8L * BatchSize.MAX_BYTES, 8);
        assertThat(batch.next(1000)).isEqualTo(1);
        batch.add(2L * BatchSize.MAX_BYTES, 1);
        assertThat(batch.next(1000)).isEqualTo(1);
    }
}
