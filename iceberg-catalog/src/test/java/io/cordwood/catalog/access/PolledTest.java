package io.cordwood.catalog.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class PolledTest {
    private final AtomicLong now = new AtomicLong();
    private final AtomicLong version = new AtomicLong();
    private Supplier<Long> source = version::incrementAndGet;

    private final Polled<Long> polled = new Polled<>("numbers", () -> source.get(), now::get);

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    private void fail() {
        source = () -> {
            throw new IllegalStateException("no answer");
        };
    }

    @Test
    void nothingIsKnownBeforeTheFirstAnswer() {
        assertThat(polled.get()).isEmpty();
        polled.poll();
        assertThat(polled.get()).contains(1L);
        polled.poll();
        assertThat(polled.get()).contains(2L);
    }

    @Test
    void withoutAnAnswerTheLastOneIsGoodForTenSeconds() {
        polled.poll();
        fail();
        pass(Duration.ofSeconds(10));
        polled.poll();
        assertThat(polled.get()).contains(1L);
        pass(Duration.ofMillis(1));
        assertThat(polled.get()).isEmpty();
        polled.poll();
        assertThat(polled.get()).isEmpty();
        source = version::incrementAndGet;
        polled.poll();
        assertThat(polled.get()).contains(2L);
    }

    @Test
    void anAnswerIsAsOldAsItsRequest() {
        source = () -> {
            pass(Duration.ofSeconds(11));
            return 1L;
        };
        polled.poll();
        assertThat(polled.get()).isEmpty();
    }
}
