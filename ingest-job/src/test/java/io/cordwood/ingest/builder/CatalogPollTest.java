package io.cordwood.ingest.builder;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.services.Waiting;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CatalogPollTest {
    private static final Duration INTERVAL = Duration.ofSeconds(2);
    private static final Set<String> STREAMS = Set.of("a", "b");

    private static CatalogPoll<String> poll(Function<String, String> request) {
        return new CatalogPoll<>(request, INTERVAL, "values", "tests wait", "task");
    }

    /** Polls at one time until values arrive. */
    private static Map<String, String> await(CatalogPoll<String> poll, long now) throws InterruptedException {
        AtomicReference<Map<String, String>> values = new AtomicReference<>();
        Waiting.until("values arrive", () -> {
            poll.poll(STREAMS, now).ifPresent(values::set);
            return values.get() != null;
        });
        return values.get();
    }

    @Test
    void takesTheValueOfEachStreamOnceInAnInterval() throws Exception {
        try (CatalogPoll<String> poll = poll(stream -> stream + "!")) {
            assertThat(poll.poll(STREAMS, 0)).isEmpty();
            assertThat(await(poll, 1)).isEqualTo(Map.of("a", "a!", "b", "b!"));
            assertThat(poll.poll(STREAMS, INTERVAL.toMillis() - 1)).isEmpty();
            assertThat(poll.poll(STREAMS, INTERVAL.toMillis())).isEmpty();
            assertThat(await(poll, INTERVAL.toMillis())).hasSize(2);
        }
    }

    @Test
    void doesNotWaitForASlowCatalog() throws Exception {
        CountDownLatch answers = new CountDownLatch(1);
        try (CatalogPoll<String> poll = poll(stream -> {
            try {
                answers.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return stream;
        })) {
            for (long now = 0; now < 10; now++) {
                assertThat(poll.poll(STREAMS, now * INTERVAL.toMillis())).isEmpty();
            }
            answers.countDown();
            assertThat(await(poll, 0)).hasSize(2);
        }
    }

    @Test
    void hasNoValuesAfterAFailure() throws Exception {
        try (CatalogPoll<String> poll = poll(stream -> {
            throw new IllegalStateException("not now");
        })) {
            assertThat(await(poll, 0)).isEmpty();
        }
    }

    @Test
    void asksNothingWithoutStreams() throws Exception {
        try (CatalogPoll<String> poll = poll(stream -> stream)) {
            for (long now = 0; now < 10; now++) {
                assertThat(poll.poll(Set.of(), now * INTERVAL.toMillis())).isEmpty();
            }
        }
    }
}
