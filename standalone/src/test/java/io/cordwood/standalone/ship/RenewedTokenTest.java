package io.cordwood.standalone.ship;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A token is kept for its interval, and then replaced. */
final class RenewedTokenTest {
    private final AtomicInteger made = new AtomicInteger();
    private String subject = "subject";

    @Test
    void aTokenIsMadeAtOnceAndKept() {
        RenewedToken token = new RenewedToken(this::next, () -> subject, Duration.ofDays(1), Duration.ZERO);
        assertThat(made).hasValue(1);
        assertThat(token.get()).isEqualTo("token 1");
        assertThat(token.get()).isEqualTo("token 1");
    }

    @Test
    void anOldTokenIsReplaced() {
        RenewedToken token = new RenewedToken(this::next, () -> subject, Duration.ZERO, Duration.ofDays(1));
        assertThat(token.get()).isEqualTo("token 2");
        assertThat(token.get()).isEqualTo("token 3");
    }

    @Test
    void aTokenIsReplacedWithTheOneThatIsExchangedForIt() {
        RenewedToken token = new RenewedToken(this::next, () -> subject, Duration.ofDays(1), Duration.ZERO);
        subject = "another";
        assertThat(token.get()).isEqualTo("token 2");
        assertThat(token.get()).isEqualTo("token 2");
    }

    @Test
    void theOneThatIsExchangedIsLookedAtFromTimeToTime() {
        RenewedToken token = new RenewedToken(this::next, () -> subject, Duration.ofDays(1), Duration.ofDays(1));
        subject = "another";
        assertThat(token.get()).isEqualTo("token 1");
    }

    private String next() {
        return "token " + made.incrementAndGet();
    }
}
