package io.cordwood.standalone.ship;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A token is kept for its interval, and then replaced. */
final class RenewedTokenTest {
    private final AtomicInteger made = new AtomicInteger();

    @Test
    void aTokenIsMadeAtOnceAndKept() {
        RenewedToken token = new RenewedToken(this::next, Duration.ofDays(1));
        assertThat(made).hasValue(1);
        assertThat(token.get()).isEqualTo("token 1");
        assertThat(token.get()).isEqualTo("token 1");
    }

    @Test
    void anOldTokenIsReplaced() {
        RenewedToken token = new RenewedToken(this::next, Duration.ZERO);
        assertThat(token.get()).isEqualTo("token 2");
        assertThat(token.get()).isEqualTo("token 3");
    }

    private String next() {
        return "token " + made.incrementAndGet();
    }
}
