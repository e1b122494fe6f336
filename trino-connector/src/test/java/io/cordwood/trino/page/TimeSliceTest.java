package io.cordwood.trino.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Ticker;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TimeSliceTest {
    private long nanos;

    private final TimeSlice slice = new TimeSlice(new Ticker() {
        @Override
        public long read() {
            return nanos;
        }
    });

    @Test
    void aScanPausesBrieflyOnceItsSliceIsOver() throws Exception {
        goOn(2 * TimeSlice.LENGTH_NANOS);
        assertThat(slice.pause())
                .as("the first slice begins when it is asked for")
                .isDone();
        for (int round = 0; round < 3; round++) {
            goOn(TimeSlice.LENGTH_NANOS);
            assertThat(slice.pause()).isDone();
            goOn(1);
            CompletableFuture<?> pause = slice.pause();
            pause.get(10, TimeUnit.SECONDS);
            goOn(2 * TimeSlice.LENGTH_NANOS);
            assertThat(slice.pause()).as("the next slice").isDone().isNotSameAs(pause);
        }
    }

    private void goOn(long more) {
        nanos += more;
    }
}
