package io.cordwood.record.policy;

import static java.util.Objects.requireNonNull;

import io.cordwood.record.UndecodableRecordException;
import java.io.Serializable;
import java.time.Duration;

/**
 * The allowed distance of a row's event time from its append time, and the treatment of rows outside. Immutable.
 *
 * @param pastMicros how far before the append time, in microseconds; {@link #UNLIMITED} for any
 * @param futureMicros how far after the append time, in microseconds; {@link #UNLIMITED} for any
 * @param outside the treatment of a row outside
 */
public record AcceptanceWindow(long pastMicros, long futureMicros, Action outside) implements Serializable {
    public static final long UNLIMITED = Long.MAX_VALUE;

    /** Any past, one hour of future; a row outside is restamped. */
    public static final AcceptanceWindow DEFAULT =
            new AcceptanceWindow(UNLIMITED, Duration.ofHours(1).toMillis() * 1000, Action.RESTAMP);

    /** The treatment of a row whose event time lies outside. */
    public enum Action {
        /** The row keeps its event time. */
        ACCEPT,
        /** Its time becomes the append time; {@code attributes['ts_original']} keeps its own time. */
        RESTAMP,
        /** The whole record is refused, with {@link UndecodableRecordException.Reason#OUTSIDE_ACCEPTANCE_WINDOW}. */
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
        // A difference that overflows is larger than any limit except "unlimited".
        if (eventMicros < appendMicros) {
            long before = appendMicros - eventMicros;
            return pastMicros == UNLIMITED || (before >= 0 && before <= pastMicros);
        }
        long after = eventMicros - appendMicros;
        return futureMicros == UNLIMITED || (after >= 0 && after <= futureMicros);
    }
}
