package io.cordwood.standalone.tail;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Times in RFC 3339: UTC, always with six digits, so that they align. Stateless. */
final class Times {
    private static final DateTimeFormatter RFC_3339 = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private Times() {}

    /** @param micros microseconds since 1970 */
    static String format(long micros) {
        return RFC_3339.format(Instant.EPOCH.plus(micros, ChronoUnit.MICROS));
    }
}
