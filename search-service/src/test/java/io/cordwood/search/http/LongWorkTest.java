package io.cordwood.search.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class LongWorkTest {
    private static final long BEGUN = System.nanoTime() + 1_000_000_000;
    private static final long SLICE = 1_000_000;

    @Test
    void workOfOneThreadDoesNotWait() {
        LongWork work = new LongWork(1);
        assertThat(work.take(BEGUN, SLICE)).isEqualTo(BEGUN + SLICE);
        assertThat(work.take(BEGUN + SLICE, SLICE)).isEqualTo(BEGUN + 2 * SLICE);
    }

    @Test
    void workOfManyThreadsTakesTheProcessorsInTurn() {
        LongWork work = new LongWork(1);
        for (int i = 1; i <= 8; i++) {
            assertThat(work.take(BEGUN, SLICE)).isEqualTo(BEGUN + i * SLICE);
        }
    }

    @Test
    void moreProcessorsDoMoreWorkAtATime() {
        LongWork work = new LongWork(4);
        for (int i = 1; i <= 8; i++) {
            assertThat(work.take(BEGUN, SLICE)).isEqualTo(BEGUN + i * SLICE / 4);
        }
    }

    @Test
    void timeThatNobodyTookIsNotSaved() {
        LongWork work = new LongWork(1);
        work.take(BEGUN, SLICE);
        long later = BEGUN + 100 * SLICE;
        assertThat(work.take(later, SLICE)).isEqualTo(later + SLICE);
        assertThat(work.take(later, SLICE)).isEqualTo(later + 2 * SLICE);
    }
}
