package io.cordwood.catalog.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A token is kept for its interval, and then replaced. */
final class RenewedTokenTest {
    private final AtomicInteger made = new AtomicInteger();
    private String subject = "subject";
    private String refusal = "";

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

    @Test
    void anExchangeThatFailsIsTriedAgainAtTheNextCall() {
        RenewedToken token = new RenewedToken(this::next, () -> subject, Duration.ofDays(1), Duration.ZERO);
        subject = "another";
        refusal = "the catalog does not answer";
        assertThatThrownBy(token::get).hasMessage(refusal);
        refusal = "";
        assertThat(token.get()).isEqualTo("token 2");
    }

    /** The look at the other token must not count either. */
    @Test
    void anExchangeThatFailsIsTriedAgainBeforeTheNextLook() throws Exception {
        Duration look = Duration.ofMillis(500);
        RenewedToken token = new RenewedToken(this::next, () -> subject, Duration.ofDays(1), look);
        subject = "another";
        refusal = "the catalog does not answer";
        Thread.sleep(look.plusMillis(10));
        assertThatThrownBy(token::get).hasMessage(refusal);
        refusal = "";
        assertThat(token.get()).isEqualTo("token 2");
    }

    private String next() {
        if (!refusal.isEmpty()) {
            throw new IllegalStateException(refusal);
        }
        return "token " + made.incrementAndGet();
    }
}
