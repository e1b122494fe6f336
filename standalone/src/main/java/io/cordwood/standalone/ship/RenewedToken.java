package io.cordwood.standalone.ship;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.function.Supplier;

/** A token that is replaced before it ends, so that a shipment can go on for longer. Thread-safe. */
public final class RenewedToken implements Supplier<String> {
    private final Supplier<String> source;
    private final long intervalNanos;
    private String token;
    private long made;

    /**
     * Creates the first token.
     *
     * @param source creates a token; what it throws fails the call that asks for the token
     * @param interval age at which a token is replaced, well below its life
     */
    public RenewedToken(Supplier<String> source, Duration interval) {
        this.source = requireNonNull(source, "source is null");
        this.intervalNanos = interval.toNanos();
        made = System.nanoTime();
        token = source.get();
    }

    @Override
    public synchronized String get() {
        long now = System.nanoTime();
        if (now - made >= intervalNanos) {
            token = source.get();
            made = now;
        }
        return token;
    }
}
