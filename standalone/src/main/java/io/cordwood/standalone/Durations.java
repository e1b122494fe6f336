package io.cordwood.standalone;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations on the command line: a number and a unit. Stateless. */
final class Durations {
    private static final Pattern DURATION = Pattern.compile("(\\d{1,6})([smhd])");

    private Durations() {}

    /** @throws IllegalArgumentException if the text is not a duration, with a message for the user */
    static Duration parse(String text) {
        Matcher duration = DURATION.matcher(text);
        if (!duration.matches()) {
            throw new IllegalArgumentException("%s is not a duration such as 30s, 5m, 2h or 1d".formatted(text));
        }
        long number = Long.parseLong(duration.group(1));
        return switch (duration.group(2)) {
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
    }
}
