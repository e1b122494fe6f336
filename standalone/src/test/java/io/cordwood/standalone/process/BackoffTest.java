package io.cordwood.standalone.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class BackoffTest {
    private static final Duration SHORT_RUN = Duration.ofSeconds(5);

    private final Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ofMinutes(1));

    @Test
    void doublesUpToTheLimit() {
        assertThat(Stream.generate(() -> backoff.after(SHORT_RUN)).limit(7).map(Duration::toSeconds))
                .containsExactly(1L, 2L, 4L, 8L, 16L, 30L, 30L);
    }

    @Test
    void beginsAgainAfterAStableRun() {
        backoff.after(SHORT_RUN);
        backoff.after(SHORT_RUN);

        assertThat(backoff.after(Duration.ofMinutes(1))).hasSeconds(1);
        assertThat(backoff.after(SHORT_RUN)).hasSeconds(2);
    }
}
