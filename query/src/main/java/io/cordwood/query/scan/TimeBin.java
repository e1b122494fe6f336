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
 * An expression of {@code ts} that a histogram groups by, evaluated bit for bit as the engine would, on instants in
 * UTC. Immutable.
 */
public sealed interface TimeBin {
    /** The value for an instant in microseconds, in milliseconds since the epoch: no expression gives finer values. */
    long millis(long micros);

    /** Whether, within these instants, a later one never has a smaller value. */
    default boolean isMonotone(long fromMicros, long toMicros) {
        return true;
    }

    /** The text that {@link #decode} reads. */
    @JsonValue
    String encode();

    /**
     * The bin that a text stands for.
     *
     * @throws IllegalArgumentException if the text is not what {@link #encode} wrote
     */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static TimeBin decode(String text) {
        List<String> parts = Arrays.asList(text.split(" ", -1));
        return switch (parts.getFirst()) {
            case "trunc" -> new Trunc(Unit.valueOf(parts.get(1)));
            case "bin" -> new Bin(Long.parseLong(parts.get(1)));
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

        /** Units of one length only, in milliseconds; 0 for the others. */
        private final long length;

        Unit(long length) {
            this.length = length;
        }

        /** The unit of that name, in whatever case. */
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
     * {@code from_unixtime(floor(to_unixtime(ts) / seconds) * seconds)}.
     *
     * @param zone id of the session's time zone, in which the values are
     */
    record UnixTime(double seconds, String zone) implements TimeBin {
        /** Bins of other lengths are left to the engine: they may overflow. */
        private static final double MIN_SECONDS = 1e-3;

        private static final double MAX_SECONDS = 1e10;
        /** Up to here from the epoch, one microsecond more is more than what rounding may take away: 2^32 seconds. */
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

        /** The sum that {@code to_unixtime} makes, with its roundings. */
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
