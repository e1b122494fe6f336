package io.cordwood.search.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LongWorkTest {
    private static final long SLICE = 1_000_000;

    @ParameterizedTest
    @ValueSource(longs = {0, -1_500_000, Long.MAX_VALUE - 500_000})
    void workOfOneThreadDoesNotWait(long now) {
        LongWork work = new LongWork(1, now);
        assertThat(work.take(now, SLICE)).isEqualTo(now + SLICE);
        assertThat(work.take(now + SLICE, SLICE)).isEqualTo(now + 2 * SLICE);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1_500_000, Long.MAX_VALUE - 500_000})
    void workOfManyThreadsTakesTheProcessorsInTurn(long now) {
        LongWork work = new LongWork(1, now);
        for (int i = 1; i <= 8; i++) {
            assertThat(work.take(now, SLICE)).isEqualTo(now + i * SLICE);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.5, 4})
    void moreProcessorsDoMoreWorkAtATime(double processors) {
        LongWork work = new LongWork(processors, 0);
        for (int i = 1; i <= 8; i++) {
            assertThat(work.take(0, SLICE)).isEqualTo((long) (i * SLICE / processors));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE - 500_000})
    void timeThatNobodyTookIsNotSaved(long now) {
        LongWork work = new LongWork(1, now);
        work.take(now, SLICE);
        long later = now + 100 * SLICE;
        assertThat(work.take(later, SLICE)).isEqualTo(later + SLICE);
        assertThat(work.take(later, SLICE)).isEqualTo(later + 2 * SLICE);
    }
}
