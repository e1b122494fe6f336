package io.cordwood.query.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SharedCachesTest {
    private final Cache<String, String> cache = CacheBuilder.newBuilder().build();
    private final AtomicInteger loads = new AtomicInteger();

    private final Callable<String> interruptedAtFirst = () -> {
        if (loads.getAndIncrement() == 0) {
            throw new IllegalStateException(new ClosedByInterruptException());
        }
        return "value";
    };

    @Test
    void loadsAgainWhatAnInterruptedQueryDidNot() throws ExecutionException {
        assertThat(SharedCaches.get(cache, "key", interruptedAtFirst)).isEqualTo("value");
    }

    @Test
    void anInterruptedQueryGivesUp() {
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> SharedCaches.get(cache, "key", interruptedAtFirst))
                    .hasRootCauseInstanceOf(ClosedByInterruptException.class);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(loads).hasValue(1);
    }

    @Test
    void otherFailuresAreFinal() {
        assertThatThrownBy(() -> SharedCaches.get(cache, "key", () -> {
                    loads.incrementAndGet();
                    throw new IOException("damaged");
                }))
                .hasRootCauseMessage("damaged");
        assertThat(loads).hasValue(1);
    }
}
