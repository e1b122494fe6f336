package io.cordwood.query.scan;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Times as text: RFC 3339 in UTC, always with microseconds, so that they align. Stateless. */
public final class Timestamps {
    /** The format of {@code to_iso8601}. */
    private static final DateTimeFormatter RFC_3339 = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private Timestamps() {}

    /**
     * Returns a time as text.
     *
     * @param micros microseconds since the epoch
     */
    public static String text(long micros) {
        return RFC_3339.format(Instant.EPOCH.plus(micros, ChronoUnit.MICROS));
    }
}
