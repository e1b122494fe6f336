package io.cordwood.hot.token;

import static java.util.Objects.requireNonNull;

import io.cordwood.identity.TokenRules;
import io.cordwood.record.token.TokenRulesException;
import io.cordwood.record.token.TokenRulesSource;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rules of tokens that are read again at intervals, on a thread of their own from the first request on. Thread-safe.
 *
 * <p>Rules cover the present and {@link TokenRules#REVOCATION_LEAD} more. So a record waits only while the catalog does
 * not answer for that long, or if the clock of Kafka's broker is ahead of the catalog's by more than that. Then it has
 * to: a verdict under older rules could differ from that of the next reader.
 */
public final class PolledTokenRules implements TokenRulesSource, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PolledTokenRules.class);

    /** Time between two polls, a fraction of the time that rules cover. */
    private static final Duration INTERVAL = Duration.ofSeconds(2);
    /** The same while somebody waits. */
    private static final Duration HURRIED_INTERVAL = Duration.ofMillis(250);
    /** A shorter wait is not logged. */
    private static final Duration UNNOTICED = Duration.ofSeconds(1);
    /** Time between two warnings. */
    private static final Duration QUIET = Duration.ofMinutes(1);

    private final Supplier<TokenRules> request;
    private final Duration maxWait;
    private final LongConsumer waited;
    private final Thread poller;

    private volatile TokenRules latest;
    private RuntimeException failure;
    private int waiting;
    private boolean started;
    private boolean closed;
    private long warned = System.nanoTime() - QUIET.toNanos();

    /**
     * Rules that are read with the first call of {@link #completeAt}, and then at intervals.
     *
     * @param request reads the rules; blocks
     * @param maxWait how long a caller waits for rules
     * @param waited takes the milliseconds that callers wait, in their threads
     * @param owner whose rules they are, for the thread
     */
    public PolledTokenRules(Supplier<TokenRules> request, Duration maxWait, LongConsumer waited, String owner) {
        this.request = requireNonNull(request, "request is null");
        this.maxWait = requireNonNull(maxWait, "maxWait is null");
        this.waited = requireNonNull(waited, "waited is null");
        this.poller = Thread.ofPlatform().name(owner + "-token-rules").daemon().unstarted(this::poll);
        // The client of the catalog loads classes by name
        poller.setContextClassLoader(PolledTokenRules.class.getClassLoader());
    }

    @Override
    public TokenRules completeAt(long timeMicros) {
        Instant time = Instant.EPOCH.plus(timeMicros, ChronoUnit.MICROS);
        TokenRules rules = latest;
        return isComplete(rules, time) ? rules : await(time);
    }

    private static boolean isComplete(TokenRules rules, Instant time) {
        return rules != null && time.isBefore(rules.completeUntil());
    }

    private synchronized TokenRules await(Instant time) {
        if (!started && !closed) {
            started = true;
            poller.start();
        }
        long begun = System.nanoTime();
        boolean noticed = false;
        waiting++;
        notifyAll();
        try {
            while (!isComplete(latest, time)) {
                Duration sofar = since(begun);
                if (closed || sofar.compareTo(maxWait) >= 0) {
                    throw new TokenRulesException(what(time), failure);
                }
                if (sofar.compareTo(UNNOTICED) >= 0 && since(warned).compareTo(QUIET) >= 0) {
                    noticed = true;
                    warned = System.nanoTime();
                    LOG.warn("{}; reading waits", what(time));
                }
                pause(sofar);
            }
            if (noticed) {
                LOG.info(
                        "Reading goes on after {} ms: there are rules of tokens again",
                        since(begun).toMillis());
            }
            return latest;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TokenRulesException("Interrupted while waiting for rules of tokens", e);
        } finally {
            waiting--;
        }
    }

    /** Waits for an event, for a second at most, so that the count of the time grows while it passes. */
    private void pause(Duration sofar) throws InterruptedException {
        long before = System.nanoTime();
        try {
            long most = Math.min(UNNOTICED.toNanos(), maxWait.minus(sofar).toNanos());
            TimeUnit.NANOSECONDS.timedWait(this, Math.max(most, 1_000_000));
        } finally {
            waited.accept(since(before).toMillis());
        }
    }

    private String what(Instant time) {
        String known = latest == null
                ? "The catalog has not given its rules of tokens yet"
                : "The catalog's rules of tokens are complete until %s only".formatted(latest.completeUntil());
        String why = failure == null
                ? "are the clocks of Kafka's brokers ahead of the catalog's?"
                : "the last request failed: %s".formatted(failure.getMessage());
        return "%s, and a record was appended at %s; %s".formatted(known, time, why);
    }

    private static Duration since(long nanoTime) {
        return Duration.ofNanos(System.nanoTime() - nanoTime);
    }

    private void poll() {
        try {
            while (true) {
                RuntimeException problem = null;
                try {
                    latest = request.get();
                } catch (RuntimeException e) {
                    problem = e;
                }
                awaitNext(problem);
            }
        } catch (InterruptedException e) {
            // Closed
        }
    }

    private synchronized void awaitNext(RuntimeException problem) throws InterruptedException {
        failure = problem;
        notifyAll();
        long polled = System.nanoTime();
        while (!closed) {
            Duration left = (waiting > 0 ? HURRIED_INTERVAL : INTERVAL).minus(since(polled));
            if (!left.isPositive()) {
                return;
            }
            TimeUnit.NANOSECONDS.timedWait(this, Math.max(left.toNanos(), 1_000_000));
        }
        throw new InterruptedException("closed");
    }

    @Override
    public synchronized void close() {
        closed = true;
        notifyAll();
        poller.interrupt();
    }
}
