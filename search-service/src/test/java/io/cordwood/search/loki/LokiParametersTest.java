package io.cordwood.search.loki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.search.http.ApiException;
import java.time.Instant;
import org.eclipse.jetty.util.Fields;
import org.junit.jupiter.api.Test;

class LokiParametersTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long HOUR = 3_600 * SECOND;
    private static final long NOW = 1_768_046_400L * SECOND;

    private static LokiParameters of(String... pairs) {
        Fields fields = new Fields(true);
        for (int i = 0; i < pairs.length; i += 2) {
            fields.add(pairs[i], pairs[i + 1]);
        }
        return new LokiParameters(fields, false, Instant.ofEpochSecond(NOW / SECOND));
    }

    @Test
    void timesAreNanosecondsSecondsOrRfc3339() {
        assertThat(of("start", "1768046399000000001", "end", "1768046400").bounds(HOUR))
                .isEqualTo(new LokiParameters.Bounds(NOW - SECOND + 1, NOW));
        assertThat(of("start", "1768046399.5", "end", "2026-01-10T12:00:00Z").bounds(HOUR))
                .isEqualTo(new LokiParameters.Bounds(NOW - SECOND / 2, NOW));
        assertThat(of("start", "2026-01-10T12:59:59+01:00").bounds(HOUR).start())
                .isEqualTo(NOW - SECOND);
    }

    @Test
    void theStartIsBeforeTheEndOrNow() {
        assertThat(of().bounds(HOUR)).isEqualTo(new LokiParameters.Bounds(NOW - HOUR, NOW));
        assertThat(of("since", "5m").bounds(HOUR).start()).isEqualTo(NOW - 300 * SECOND);
        assertThat(of("end", "2026-01-10T13:00:00Z", "since", "5m").bounds(HOUR).start())
                .as("the end is in the future")
                .isEqualTo(NOW - 300 * SECOND);
        assertThatThrownBy(() -> of("start", "2", "end", "1").bounds(HOUR)).isInstanceOf(ApiException.class);
    }

    @Test
    void stepsHaveADefaultOf250Points() {
        LokiParameters.Bounds hour = of().bounds(HOUR);
        assertThat(of().step(hour)).isEqualTo(14 * SECOND);
        assertThat(of("step", "2.5").step(hour)).isEqualTo(5 * SECOND / 2);
        assertThat(of("step", "1m").step(hour)).isEqualTo(60 * SECOND);
        assertThatThrownBy(() -> of("step", "0").step(hour)).hasMessageContaining("'step' must be positive");
        assertThatThrownBy(() -> of("step", "x").step(hour)).hasMessageContaining("'step' is 'x'");
    }

    @Test
    void limitsAndDirections() {
        assertThat(of().limit()).isEqualTo(100);
        assertThatThrownBy(() -> of("limit", "0").limit()).hasMessageContaining("must be positive");
        assertThatThrownBy(() -> of("limit", "many").limit()).hasMessageContaining("a whole number");
        assertThat(of().newestFirst()).isTrue();
        assertThat(of("direction", "FORWARD").newestFirst()).isFalse();
        assertThatThrownBy(() -> of("direction", "up").newestFirst()).hasMessageContaining("'direction' is 'up'");
    }

    @Test
    void hugeNumbersAreTheLastTime() {
        assertThat(of("start", "0", "end", "9".repeat(40)).bounds(HOUR).end()).isEqualTo(Long.MAX_VALUE);
        assertThatThrownBy(() -> of("start", "9".repeat(500)).bounds(HOUR)).isInstanceOf(ApiException.class);
    }
}
