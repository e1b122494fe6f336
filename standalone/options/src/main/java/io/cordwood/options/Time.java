package io.cordwood.options;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A length of time, such as {@code 30s} or {@code 5min}. Immutable, thread-safe. */
public abstract class Time extends Checked<Duration> {
    private static final Pattern TIME = Pattern.compile("([0-9]{1,9}) ?(ms|s|m|min|h|d)");

    private final Duration least;

    /** @param least shortest time */
    protected Time(Duration least) {
        super(
                least.isZero()
                        ? "a time such as 30s, 5min, 1h or 1d"
                        : "a time from %s, such as 30s, 5min, 1h or 1d".formatted(text(least)));
        this.least = least;
    }

    private static String text(Duration time) {
        long millis = time.toMillis();
        return millis % 1_000 == 0 ? "%d s".formatted(millis / 1_000) : "%d ms".formatted(millis);
    }

    @Override
    protected Optional<Duration> read(String text) {
        Matcher time = TIME.matcher(text);
        if (!time.matches()) {
            return Optional.empty();
        }
        long number = Long.parseLong(time.group(1));
        Duration duration = switch (time.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m", "min" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
        return duration.compareTo(least) >= 0 ? Optional.of(duration) : Optional.empty();
    }
}
