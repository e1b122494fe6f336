package io.cordwood.standalone.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class RestartDelayTest {
    private static final Duration SHORT_RUN = Duration.ofSeconds(5);

    private final RestartDelay delay =
            new RestartDelay(Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ofMinutes(1));

    @Test
    void doublesUpToTheLimit() {
        assertThat(Stream.generate(() -> delay.after(SHORT_RUN)).limit(7).map(Duration::toSeconds))
                .containsExactly(1L, 2L, 4L, 8L, 16L, 30L, 30L);
    }

    @Test
    void beginsAgainAfterAStableRun() {
        delay.after(SHORT_RUN);
        delay.after(SHORT_RUN);

        assertThat(delay.after(Duration.ofMinutes(1))).hasSeconds(1);
        assertThat(delay.after(SHORT_RUN)).hasSeconds(2);
    }
}
