package io.cordwood.query.language;

import io.cordwood.logblock.schema.TimeRange;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A time as users write it: RFC 3339, a date in UTC, microseconds since the epoch, or relative to now. Immutable.
 *
 * @param micros the time in microseconds since the epoch, rounded down; of a date its start
 * @param isDate whether it is a date, which stands for a whole day
 */
public record SearchTime(long micros, boolean isDate) {
    /** The forms, as advice in errors. */
    public static final String FORMS =
            "write 2026-01-02T03:04:05Z, 2026-01-02, now-15m (units s, m, h, d, w) or microseconds since 1970";

    private static final Pattern DATE = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");
    private static final Pattern RFC_3339 = Pattern.compile(
            "(\\d{4}-\\d{2}-\\d{2})[Tt ](\\d{2}:\\d{2}:\\d{2})(\\.\\d{1,9})?\\d*([Zz]|[+-]\\d{2}:\\d{2})");
    private static final Pattern EPOCH = Pattern.compile("[+-]?\\d{1,19}");
    private static final Pattern RELATIVE = Pattern.compile("now(?:([+-])(\\d{1,18})([smhdw]))?");

    private static final Map<String, Duration> UNITS = Map.of(
            "s", Duration.ofSeconds(1),
            "m", Duration.ofMinutes(1),
            "h", Duration.ofHours(1),
            "d", Duration.ofDays(1),
            "w", Duration.ofDays(7));

    /**
     * Parses a time; empty if the text is none.
     *
     * @param now the time that {@code now} stands for
     */
    public static Optional<SearchTime> parse(String text, Instant now) {
        try {
            return parseChecked(text, now);
        } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
            // The form is right, but there is no such day, or it is too far away
            return Optional.empty();
        }
    }

    private static Optional<SearchTime> parseChecked(String text, Instant now) {
        if (DATE.matcher(text).matches()) {
            return Optional.of(new SearchTime(micros(Instant.parse(text + "T00:00:00Z")), true));
        }
        if (EPOCH.matcher(text).matches()) {
            return Optional.of(new SearchTime(Long.parseLong(text), false));
        }
        Matcher relative = RELATIVE.matcher(text);
        if (relative.matches()) {
            return Optional.of(new SearchTime(relative(relative, micros(now)), false));
        }
        Matcher instant = RFC_3339.matcher(text);
        if (!instant.matches()) {
            return Optional.empty();
        }
        String fraction = Optional.ofNullable(instant.group(3)).orElse("");
        String zone = instant.group(4).toUpperCase(Locale.ROOT);
        OffsetDateTime time = OffsetDateTime.parse(instant.group(1) + "T" + instant.group(2) + fraction + zone);
        return Optional.of(new SearchTime(micros(time.toInstant()), false));
    }

    private static long relative(Matcher relative, long now) {
        if (relative.group(1) == null) {
            return now;
        }
        long unit = UNITS.get(relative.group(3)).toSeconds() * 1_000_000;
        long distance = Math.multiplyExact(Long.parseLong(relative.group(2)), unit);
        return relative.group(1).equals("-") ? Math.subtractExact(now, distance) : Math.addExact(now, distance);
    }

    /** An instant in microseconds since the epoch, rounded down. */
    public static long micros(Instant instant) {
        return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000L), instant.getNano() / 1_000L);
    }

    /** The instants that it stands for. */
    public TimeRange span() {
        return new TimeRange(micros, isDate ? micros + Duration.ofDays(1).toSeconds() * 1_000_000 - 1 : micros);
    }
}
