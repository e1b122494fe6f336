package io.cordwood.hot.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.client.CatalogException;
import io.cordwood.identity.SigningKeys;
import io.cordwood.identity.TokenRules;
import io.cordwood.record.token.TokenRulesException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PolledTokenRulesTest {
    private static final SigningKeys KEYS = SigningKeys.create();
    private static final Duration LONG = Duration.ofMinutes(10);

    private final AtomicLong waited = new AtomicLong();

    private static TokenRules until(long seconds) {
        return new TokenRules(KEYS.publicKeys(), Map.of(), Instant.ofEpochSecond(seconds));
    }

    private static long micros(long seconds) {
        return TimeUnit.SECONDS.toMicros(seconds);
    }

    private PolledTokenRules polled(Supplier<TokenRules> request, Duration maxWait) {
        return new PolledTokenRules(request, maxWait, waited::addAndGet, "test");
    }

    private static CompletableFuture<TokenRules> asked(PolledTokenRules rules, long seconds) {
        return CompletableFuture.supplyAsync(
                () -> rules.completeAt(micros(seconds)),
                task -> Thread.ofPlatform().daemon().start(task));
    }

    @Test
    void rulesThatCoverTheTimeAreNotReadAgain() {
        AtomicInteger requests = new AtomicInteger();
        try (PolledTokenRules rules = polled(
                () -> {
                    requests.incrementAndGet();
                    return until(100);
                },
                LONG)) {
            assertThat(rules.completeAt(micros(100) - 1).completeUntil()).isEqualTo(Instant.ofEpochSecond(100));
            assertThat(rules.completeAt(0)).isSameAs(rules.completeAt(micros(99)));
            assertThat(requests).hasValue(1);
        }
    }

    @Test
    void waitsForRulesThatCoverTheTime() throws Exception {
        AtomicReference<TokenRules> current = new AtomicReference<>(until(100));
        try (PolledTokenRules rules = polled(current::get, LONG)) {
            CompletableFuture<TokenRules> later = asked(rules, 100);
            assertThat(asked(rules, 50).get().completeUntil()).isEqualTo(Instant.ofEpochSecond(100));
            assertThat(later).isNotDone();
            current.set(until(101));
            assertThat(later.get().completeUntil()).isEqualTo(Instant.ofEpochSecond(101));
            assertThat(waited).hasPositiveValue();
        }
    }

    @Test
    void aCatalogThatIsDownIsAskedAgain() throws Exception {
        AtomicReference<Supplier<TokenRules>> catalog = new AtomicReference<>(() -> {
            throw new CatalogException(503, "down");
        });
        try (PolledTokenRules rules = polled(() -> catalog.get().get(), LONG)) {
            CompletableFuture<TokenRules> asked = asked(rules, 50);
            assertThatThrownBy(() -> asked.get(600, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            catalog.set(() -> until(100));
            assertThat(asked.get().completeUntil()).isEqualTo(Instant.ofEpochSecond(100));
        }
    }

    @Test
    void whoDoesNotWaitForLongIsToldWhatIsMissing() {
        try (PolledTokenRules rules = polled(() -> until(100), Duration.ofSeconds(3))) {
            assertThatThrownBy(() -> rules.completeAt(micros(200)))
                    .isInstanceOf(TokenRulesException.class)
                    .hasMessageContaining("complete until 1970-01-01T00:01:40Z")
                    .hasMessageContaining("appended at 1970-01-01T00:03:20Z")
                    .hasMessageContaining("clocks");
        }
        try (PolledTokenRules rules = polled(
                () -> {
                    throw new CatalogException(503, "database is locked");
                },
                Duration.ofSeconds(3))) {
            assertThatThrownBy(() -> rules.completeAt(0))
                    .isInstanceOf(TokenRulesException.class)
                    .hasMessageContaining("database is locked");
        }
    }

    @Test
    void anInterruptEndsTheWait() throws Exception {
        try (PolledTokenRules rules = polled(() -> until(100), LONG)) {
            AtomicReference<Throwable> end = new AtomicReference<>();
            AtomicReference<Boolean> interrupted = new AtomicReference<>();
            Thread task = Thread.ofPlatform().start(() -> {
                try {
                    rules.completeAt(micros(200));
                } catch (TokenRulesException e) {
                    end.set(e);
                    interrupted.set(Thread.currentThread().isInterrupted());
                }
            });
            task.interrupt();
            task.join();
            assertThat(end.get()).hasMessageContaining("Interrupted");
            assertThat(interrupted.get()).as("the task still sees it").isTrue();
        }
    }

    @Test
    void closingEndsTheWait() {
        PolledTokenRules rules = polled(() -> until(100), LONG);
        rules.completeAt(0);
        CompletableFuture<TokenRules> asked = asked(rules, 200);
        rules.close();
        assertThatThrownBy(asked::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(TokenRulesException.class);
    }

    @Test
    void pollsWhileNobodyAsks() throws Exception {
        AtomicInteger requests = new AtomicInteger();
        try (PolledTokenRules rules = polled(() -> until(100L * requests.incrementAndGet()), LONG)) {
            rules.completeAt(0);
            while (requests.get() < 2) {
                Thread.sleep(20);
            }
            assertThat(rules.completeAt(micros(150)).completeUntil()).isEqualTo(Instant.ofEpochSecond(200));
            assertThat(waited.get()).as("the second asker had them at once").isLessThan(1500);
        }
    }
}
