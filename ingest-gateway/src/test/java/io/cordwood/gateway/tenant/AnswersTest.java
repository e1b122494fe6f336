package io.cordwood.gateway.tenant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class AnswersTest {
    private static final Duration MAX_AGE = Duration.ofMinutes(5);
    private static final Duration PATIENCE = Duration.ofMillis(50);

    private final AtomicLong now = new AtomicLong(-1000);
    private final AtomicInteger asked = new AtomicInteger();
    /** What the source says of every tenant; empty: it fails. */
    private final AtomicReference<String> source = new AtomicReference<>("one");

    /** Until it ends the source does not answer. */
    private final AtomicReference<CompletableFuture<Void>> hanging =
            new AtomicReference<>(CompletableFuture.completedFuture(null));

    private final Answers<String> answers = new Answers<>("answer", this::ask, MAX_AGE, PATIENCE, now::get);

    private String ask(String tenant) {
        asked.incrementAndGet();
        hanging.get().join();
        if (source.get().isEmpty()) {
            throw new IllegalStateException("no answer");
        }
        return source.get() + " of " + tenant;
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    @Test
    void theSourceIsAskedOnceInAnInterval() {
        assertThat(answers.of("a")).isEqualTo("one of a");
        pass(Answers.FRESH.minusNanos(1));
        assertThat(answers.of("a")).isEqualTo("one of a");
        assertThat(answers.of("b")).isEqualTo("one of b");
        assertThat(asked).hasValue(2);
    }

    /** However long a tenant did not send: its first request must not go by what held before. */
    @Test
    void aChangeHoldsForTheFirstRequestAfterAnInterval() {
        answers.of("a");
        source.set("two");
        pass(Answers.FRESH);
        assertThat(answers.of("a")).isEqualTo("two of a");
    }

    @Test
    void theLastAnswerStaysForATime() {
        answers.of("a");
        source.set("");
        pass(MAX_AGE.minusNanos(1));
        assertThat(answers.of("a")).isEqualTo("one of a");
        pass(Answers.RETRY);
        assertThatThrownBy(() -> answers.of("a")).hasMessage("no answer");
        source.set("two");
        pass(Answers.RETRY);
        assertThat(answers.of("a")).isEqualTo("two of a");
    }

    @Test
    void aSourceThatFailsIsNotAskedByEveryRequest() {
        source.set("");
        assertThatThrownBy(() -> answers.of("a")).hasMessage("no answer");
        assertThatThrownBy(() -> answers.of("a")).hasMessage("no answer");
        assertThat(asked).hasValue(1);
        source.set("one");
        pass(Answers.RETRY);
        assertThat(answers.of("a")).isEqualTo("one of a");
    }

    @Test
    void aSourceThatHangsDelaysAKnownTenantOnlyForAMoment() {
        answers.of("a");
        source.set("two");
        CompletableFuture<Void> hangs = new CompletableFuture<>();
        hanging.set(hangs);
        pass(Answers.FRESH);
        assertThat(answers.of("a")).isEqualTo("one of a");
        assertThat(answers.of("a")).isEqualTo("one of a");
        assertThat(asked).hasValue(2);
        pass(Answers.RETRY);
        hangs.complete(null);
        assertThat(answers.of("a")).isEqualTo("two of a");
    }
}
