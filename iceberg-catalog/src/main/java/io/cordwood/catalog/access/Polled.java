package io.cordwood.catalog.access;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the catalog service says, read at intervals by a thread of its own. It is given out only while it is fresh, so
 * that nobody is let in by rules that may have changed. Thread-safe.
 */
public final class Polled<T> {
    public static final Duration INTERVAL = Duration.ofSeconds(2);
    public static final Duration MAX_AGE = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(Polled.class);

    /** @param begun by the clock, before the request: what changed later may be missing */
    private record Read<T>(T value, long begun) {}

    private final String what;
    private final Supplier<T> source;
    private final LongSupplier clock;
    private volatile Optional<Read<T>> last = Optional.empty();
    private boolean isOverdue;

    /**
     * @param what names the value in the log
     * @param source asks the catalog service, and throws if there is no answer
     */
    public Polled(String what, Supplier<T> source) {
        this(what, source, System::nanoTime);
    }

    /** @param clock time that passes, in nanoseconds */
    Polled(String what, Supplier<T> source, LongSupplier clock) {
        this.what = requireNonNull(what, "what is null");
        this.source = requireNonNull(source, "source is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /** Reads the value now, and from then on at intervals. */
    public Polled<T> start() {
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
        long begun = clock.getAsLong();
        try {
            last = Optional.of(new Read<>(source.get(), begun));
            if (isOverdue) {
                LOG.info("The catalog service gives the {} again", what);
            }
            isOverdue = false;
        } catch (RuntimeException e) {
            if (!isOverdue && get().isEmpty()) {
                isOverdue = true;
                LOG.error(
                        "Cannot read the {} for {} s, so all logins are refused until the catalog service answers",
                        what,
                        MAX_AGE.toSeconds(),
                        e);
            }
        }
    }

    /** The value; empty if the last answer is too old. */
    public Optional<T> get() {
        return last.filter(read -> clock.getAsLong() - read.begun() <= MAX_AGE.toNanos())
                .map(Read::value);
    }
}
