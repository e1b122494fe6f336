package io.cordwood.record;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;
import java.time.Duration;

/**
 * How far the event time of a row may lie from its append time, and what becomes of a row outside. Immutable.
 *
 * @param pastMicros how far before the append time, in microseconds; {@link #UNLIMITED} for any
 * @param futureMicros how far after the append time, in microseconds; {@link #UNLIMITED} for any
 * @param outside what becomes of a row outside
 */
public record AcceptanceWindow(long pastMicros, long futureMicros, Action outside) implements Serializable {
    public static final long UNLIMITED = Long.MAX_VALUE;

    /** Any past, one hour of future; a row outside is restamped. */
    public static final AcceptanceWindow DEFAULT =
            new AcceptanceWindow(UNLIMITED, Duration.ofHours(1).toMillis() * 1000, Action.RESTAMP);

    /** What becomes of a row whose event time lies outside. */
    public enum Action {
        /** It keeps its event time. */
        ACCEPT,
        /** Its time becomes the append time; its own stays in {@code attributes['ts_original']}. */
        RESTAMP,
        /** Its whole record is refused as {@link UndecodableRecordException.Reason#OUTSIDE_ACCEPTANCE_WINDOW}. */
        DEAD_LETTER
    }

    public AcceptanceWindow {
        requireNonNull(outside, "outside is null");
        if (pastMicros < 0 || futureMicros < 0) {
            throw new IllegalArgumentException(
                    "The acceptance window cannot be negative: past %d us, future %d us; use UNLIMITED for no limit"
                            .formatted(pastMicros, futureMicros));
        }
    }

    /** Whether an event time lies within the window around an append time; both in microseconds. */
    public boolean contains(long eventMicros, long appendMicros) {
        // A difference that overflows is larger than any limit, but not than "unlimited".
        if (eventMicros < appendMicros) {
            long before = appendMicros - eventMicros;
            return pastMicros == UNLIMITED || (before >= 0 && before <= pastMicros);
        }
        long after = eventMicros - appendMicros;
        return futureMicros == UNLIMITED || (after >= 0 && after <= futureMicros);
    }
}
