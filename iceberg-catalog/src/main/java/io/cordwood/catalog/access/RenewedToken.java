package io.cordwood.catalog.access;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * A token that is exchanged for another, and replaced before it ends, so that a shipment can go on for longer. It is
 * also replaced soon after the other one is: it ends with that. Thread-safe.
 */
public final class RenewedToken implements Supplier<String> {
    private final Supplier<String> source;
    private final Supplier<String> subject;
    private final long intervalNanos;
    private final long lookNanos;
    private String exchanged;
    private String token;
    private long made;
    private long looked;

    /**
     * Creates the first token.
     *
     * @param source creates a token; what it throws fails the call that asks for the token
     * @param subject the token that is exchanged, as it is now
     * @param interval age at which a token is replaced, well below its life
     * @param look how often to look whether there is another subject
     */
    public RenewedToken(Supplier<String> source, Supplier<String> subject, Duration interval, Duration look) {
        this.source = requireNonNull(source, "source is null");
        this.subject = requireNonNull(subject, "subject is null");
        this.intervalNanos = interval.toNanos();
        this.lookNanos = look.toNanos();
        made = System.nanoTime();
        looked = made;
        exchanged = subject.get();
        token = source.get();
    }

    @Override
    public synchronized String get() {
        long now = System.nanoTime();
        boolean old = now - made >= intervalNanos;
        if (old || now - looked >= lookNanos) {
            String present = subject.get();
            if (old || !present.equals(exchanged)) {
                // If this throws, nothing has changed: the next call tries again
                token = source.get();
                exchanged = present;
                made = now;
            }
            looked = now;
        }
        return token;
    }
}
