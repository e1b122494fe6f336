package io.cordwood.trino.login;

import static java.util.Objects.requireNonNull;

import com.google.common.base.Ticker;
import io.airlift.log.Logger;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What the catalog service says, read at intervals by a thread of its own. It is given out only while it is fresh, so
 * that nobody is let in by rules that may have changed. Thread-safe.
 */
final class Polled<T> {
    static final Duration INTERVAL = Duration.ofSeconds(2);
    static final Duration MAX_AGE = Duration.ofSeconds(10);

    private static final Logger LOG = Logger.get(Polled.class);

    /** @param begun by the ticker, before the request: what changed later may be missing */
    private record Read<T>(T value, long begun) {}

    private final String what;
    private final Supplier<T> source;
    private final Ticker ticker;
    private volatile Optional<Read<T>> last = Optional.empty();
    private boolean isOverdue;

    /**
     * @param what names the value in the log
     * @param source asks the catalog service, and throws if there is no answer
     */
    Polled(String what, Supplier<T> source, Ticker ticker) {
        this.what = requireNonNull(what, "what is null");
        this.source = requireNonNull(source, "source is null");
        this.ticker = requireNonNull(ticker, "ticker is null");
    }

    /** Reads the value now, and from then on at intervals. */
    Polled<T> start() {
        poll();
        Thread poller = new Thread(this::pollUntilInterrupted, "cordwood-" + what.replace(' ', '-'));
        poller.setDaemon(true);
        poller.start();
        return this;
    }

    private void pollUntilInterrupted() {
        try {
            while (true) {
                Thread.sleep(INTERVAL);
                poll();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Reads the value once; a failure is logged when the last value is too old. */
    synchronized void poll() {
        long begun = ticker.read();
        try {
            last = Optional.of(new Read<>(source.get(), begun));
            if (isOverdue) {
                LOG.info("The catalog service gives the %s again", what);
            }
            isOverdue = false;
        } catch (RuntimeException e) {
            if (!isOverdue && get().isEmpty()) {
                isOverdue = true;
                LOG.error(
                        e,
                        "Cannot read the %s for %d s, so all logins are refused until the catalog service answers",
                        what,
                        MAX_AGE.toSeconds());
            }
        }
    }

    /** The value; empty if the last answer is too old. */
    Optional<T> get() {
        return last.filter(read -> ticker.read() - read.begun() <= MAX_AGE.toNanos())
                .map(Read::value);
    }
}
