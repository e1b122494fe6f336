package io.cordwood.trino;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class TimeSliceTest {
    @Test
    void aScanPausesForAMomentOnceItsSliceIsOver() throws Exception {
        TimeSlice slice = new TimeSlice();
        for (int round = 0; round < 3; round++) {
            long start = System.nanoTime();
            CompletableFuture<?> pause = slice.pause();
            while (pause.isDone()) {
                pause = slice.pause();
            }
            assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(10));
            pause.get();
            assertThat(slice.pause()).as("the next slice").isDone();
        }
    }
}
