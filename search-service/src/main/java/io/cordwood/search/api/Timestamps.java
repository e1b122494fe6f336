package io.cordwood.search.api;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Times as text: RFC 3339 in UTC with microseconds. Stateless. */
final class Timestamps {
    private static final DateTimeFormatter RFC_3339 = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private Timestamps() {}

    static String text(long micros) {
        return RFC_3339.format(Instant.EPOCH.plus(micros, ChronoUnit.MICROS));
    }

    static String ofMillis(long millis) {
        return text(Math.multiplyExact(millis, 1000L));
    }
}
