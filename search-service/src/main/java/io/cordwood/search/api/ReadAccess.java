package io.cordwood.search.api;

import io.cordwood.catalog.access.NotAuthenticatedException;
import io.cordwood.catalog.access.RulesUnavailableException;
import io.cordwood.query.error.QueryException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Whether the caller of a long answer may still read the stream. Not thread-safe. */
public final class ReadAccess {
    private static final long MAX_UNCHECKED_NANOS = Duration.ofMinutes(1).toNanos();

    private final BooleanSupplier mayStill;
    private long checked = System.nanoTime();

    /** @param mayStill checks the token and the grants */
    public ReadAccess(BooleanSupplier mayStill) {
        this.mayStill = mayStill;
    }

    /** What a check found. */
    public enum State {
        ALLOWED,
        /** It may not, or that could not be checked for too long. */
        DENIED,
        /** It cannot be checked now. */
        UNKNOWN
    }

    /** Checks it now. */
    public State check() {
        try {
            if (!mayStill.getAsBoolean()) {
                return State.DENIED;
            }
            checked = System.nanoTime();
            return State.ALLOWED;
        } catch (NotAuthenticatedException e) {
            return State.DENIED;
        } catch (RulesUnavailableException | QueryException e) {
            return System.nanoTime() - checked > MAX_UNCHECKED_NANOS ? State.DENIED : State.UNKNOWN;
        }
    }
}
