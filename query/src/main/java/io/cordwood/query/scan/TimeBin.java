package io.cordwood.query.scan;

import static com.google.common.base.Preconditions.checkArgument;
import static java.time.ZoneOffset.UTC;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import com.google.common.base.Ascii;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoField;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAdjusters;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * An expression of {@code ts} that a histogram groups by. Evaluation gives the engine's result bit for bit, on instants
 * in UTC. Immutable.
 */
public sealed interface TimeBin {
    /** The value for an instant in microseconds, in milliseconds since the epoch; no expression has finer values. */
    long millis(long micros);

    /** Whether a later instant never has a smaller value, within these instants. */
    default boolean isMonotone(long fromMicros, long toMicros) {
        return true;
    }

    /** The bin as text, for {@link #decode}. */
    @JsonValue
    String encode();

    /**
     * Parses a bin.
     *
     * @throws IllegalArgumentException if the text is not a result of {@link #encode}
     */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static TimeBin decode(String text) {
        List<String> parts = Arrays.asList(text.split(" ", -1));
        return switch (parts.getFirst()) {
            case "trunc" -> new Trunc(Unit.valueOf(parts.get(1)));
            case "bin" -> new Bin(Long.parseLong(parts.get(1)));
            case "until" -> new Until(Long.parseLong(parts.get(1)), Long.parseLong(parts.get(2)));
            case "unixtime" -> new UnixTime(Double.longBitsToDouble(Long.parseLong(parts.get(1))), parts.get(2));
            default -> throw new IllegalArgumentException("Not a time bin: " + text);
        };
    }

    /** A unit of {@code date_trunc}. */
    enum Unit {
        MILLISECOND(1),
        SECOND(1000),
        MINUTE(60_000),
        HOUR(3_600_000),
        DAY(86_400_000),
        WEEK(0),
        MONTH(0),
        QUARTER(0),
        YEAR(0);

        /** Length in milliseconds of a unit of fixed length; 0 for the others. */
        private final long length;

        Unit(long length) {
            this.length = length;
        }

        /** The unit of this name, ignoring case. */
        public static Optional<Unit> of(String name) {
            return Arrays.stream(values())
                    .filter(unit -> Ascii.equalsIgnoreCase(unit.name(), name))
                    .findFirst();
        }

        private long floor(long millis) {
            if (length > 0) {
                return millis - Math.floorMod(millis, length);
            }
            LocalDate date = LocalDate.ofInstant(Instant.ofEpochMilli(millis), UTC);
            LocalDate first = switch (this) {
                case WEEK -> date.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
                case MONTH -> date.withDayOfMonth(1);
                case QUARTER -> date.with(IsoFields.DAY_OF_QUARTER, 1);
                default -> date.with(ChronoField.DAY_OF_YEAR, 1);
            };
            return first.toEpochDay() * DAY.length;
        }
    }

    /** {@code date_trunc(unit, ts)}. */
    record Trunc(Unit unit) implements TimeBin {
        @Override
        public long millis(long micros) {
            return unit.floor(Math.floorDiv(micros, 1000));
        }

        @Override
        public String encode() {
            return "trunc " + unit;
        }
    }

    /** {@code date_bin(interval, ts)}, the interval in milliseconds. */
    record Bin(long interval) implements TimeBin {
        @Override
        public long millis(long micros) {
            return DateBins.floorMillis(interval, Math.floorDiv(micros, 1000));
        }

        @Override
        public String encode() {
            return "bin " + interval;
        }
    }

    /**
     * The end of the interval that has the instant. An interval does not include its beginning, but its end.
     *
     * @param interval length of the intervals in milliseconds
     * @param origin an end of one of them, in microseconds; the values are in whole milliseconds all the same
     */
    record Until(long interval, long origin) implements TimeBin {
        @Override
        public long millis(long micros) {
            return Math.floorDiv(origin, 1000) + Math.ceilDiv(micros - origin, interval * 1000) * interval;
        }

        @Override
        public String encode() {
            return "until %d %d".formatted(interval, origin);
        }
    }

    /**
     * {@code from_unixtime(floor(to_unixtime(ts) / seconds) * seconds)}.
     *
     * @param zone id of the session's time zone, which the values are in
     */
    record UnixTime(double seconds, String zone) implements TimeBin {
        /** The engine evaluates shorter bins itself: they may overflow. */
        private static final double MIN_SECONDS = 1e-3;

        private static final double MAX_SECONDS = 1e10;
        /** Distance from the epoch, 2^32 seconds, within which one microsecond exceeds the rounding error. */
        private static final long MONOTONE_MICROS = (1L << 32) * 1_000_000;

        public UnixTime {
            checkArgument(isSupported(seconds), "bins of %s seconds", seconds);
        }

        public static boolean isSupported(double seconds) {
            return seconds >= MIN_SECONDS && seconds <= MAX_SECONDS;
        }

        @Override
        public long millis(long micros) {
            return Math.round(Math.floor(unixTime(micros) / seconds) * seconds * 1000);
        }

        /** The sum that {@code to_unixtime} computes, with its rounding. */
        private static double unixTime(long micros) {
            return Math.floorDiv(micros, 1000) * 1.0 / 1000 + Math.floorMod(micros, 1000) * 1_000_000 * 1.0 / 1e12;
        }

        @Override
        public boolean isMonotone(long fromMicros, long toMicros) {
            return fromMicros > -MONOTONE_MICROS && toMicros < MONOTONE_MICROS;
        }

        @Override
        public String encode() {
            return "unixtime %d %s".formatted(Double.doubleToLongBits(seconds), zone);
        }
    }
}
