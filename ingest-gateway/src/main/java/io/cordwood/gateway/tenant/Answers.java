package io.cordwood.gateway.tenant;

import static java.util.Objects.requireNonNull;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the catalog service says of each tenant. It is asked when a tenant sends, and again at intervals, before the
 * request goes on: a change holds for the first request after an interval. While it does not answer, its last answer
 * stays for a time, and requests do not wait for it one after the other. Thread-safe.
 */
final class Answers<T> {
    static final Duration FRESH = Duration.ofSeconds(10);
    static final Duration RETRY = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(Answers.class);
    private static final Duration MAX_UNUSED = Duration.ofHours(1);
    private static final int KEPT = 100_000;
    private static final Executor THREADS = Executors.newVirtualThreadPerTaskExecutor();

    private final String what;
    private final Function<String, T> source;
    private final Duration maxAge;
    private final Duration patience;
    private final LongSupplier clock;
    private final ConcurrentMap<String, CompletableFuture<Answer<T>>> asking = new ConcurrentHashMap<>();
    private final Cache<String, Answer<T>> answers = Caffeine.newBuilder()
            .maximumSize(KEPT)
            .expireAfterAccess(MAX_UNUSED)
            .build();

    /**
     * What came of asking.
     *
     * @param value what the service said last; empty if it never did, or too long ago
     * @param answered when it said so, in nanoseconds
     * @param failure why it did not answer now
     * @param askAgain when to ask again, in nanoseconds
     */
    private record Answer<T>(Optional<T> value, long answered, Optional<RuntimeException> failure, long askAgain) {}

    /**
     * Asks a source.
     *
     * @param what names it in the log
     * @param source throws if there is no answer
     * @param maxAge how long the last answer stays without a new one
     * @param patience how long a request with an earlier answer waits for a new one
     * @param clock time that passes, in nanoseconds
     */
    Answers(String what, Function<String, T> source, Duration maxAge, Duration patience, LongSupplier clock) {
        this.what = requireNonNull(what, "what is null");
        this.source = requireNonNull(source, "source is null");
        this.maxAge = requireNonNull(maxAge, "maxAge is null");
        this.patience = requireNonNull(patience, "patience is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /** The answer for a tenant. Throws what the source throws, or threw a moment ago, if there is no earlier one. */
    T of(String tenant) {
        Answer<T> known = answers.getIfPresent(tenant);
        if (known == null || isDue(known)) {
            known = asked(tenant, Optional.ofNullable(known));
        }
        Optional<RuntimeException> failure = known.failure();
        return known.value().orElseThrow(failure::orElseThrow);
    }

    private boolean isDue(Answer<T> answer) {
        return clock.getAsLong() - answer.askAgain() >= 0;
    }

    /** Asks, once for all who want to know; who has an earlier answer waits for the next one only for a moment. */
    private Answer<T> asked(String tenant, Optional<Answer<T>> before) {
        CompletableFuture<Answer<T>> next = asking.computeIfAbsent(
                tenant, any -> CompletableFuture.supplyAsync(() -> next(tenant, before), THREADS));
        try {
            return usable(before).isPresent() ? next.get(patience.toMillis(), TimeUnit.MILLISECONDS) : next.get();
        } catch (TimeoutException e) {
            Answer<T> kept =
                    failed(before, new IllegalStateException("The catalog service does not answer in time", e));
            answers.put(tenant, kept);
            return kept;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while the catalog service is asked", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("The %s of tenant %s cannot be asked for".formatted(what, tenant), e);
        }
    }

    private Answer<T> next(String tenant, Optional<Answer<T>> before) {
        try {
            Answer<T> next = ask(tenant, before);
            answers.put(tenant, next);
            return next;
        } finally {
            // Whoever asks from now on finds the answer
            asking.remove(tenant);
        }
    }

    private Answer<T> ask(String tenant, Optional<Answer<T>> before) {
        try {
            T value = source.apply(tenant);
            long now = clock.getAsLong();
            return new Answer<>(Optional.of(value), now, Optional.empty(), now + FRESH.toNanos());
        } catch (RuntimeException e) {
            LOG.warn("The {} of tenant {} cannot be asked for", what, tenant, e);
            return failed(before, e);
        }
    }

    /** What stays for now when the source has failed. */
    private Answer<T> failed(Optional<Answer<T>> before, RuntimeException failure) {
        long now = clock.getAsLong();
        Optional<Answer<T>> usable = usable(before);
        return new Answer<>(
                usable.flatMap(Answer::value),
                usable.map(Answer::answered).orElse(now),
                Optional.of(failure),
                now + RETRY.toNanos());
    }

    private Optional<Answer<T>> usable(Optional<Answer<T>> before) {
        return before.filter(
                last -> last.value().isPresent() && clock.getAsLong() - last.answered() < maxAge.toNanos());
    }
}
