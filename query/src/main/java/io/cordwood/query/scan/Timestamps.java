package io.cordwood.query.scan;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.time.Instant;
import java.time.LocalDate;
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

    private static final int MICROS_PER_SECOND = 1_000_000;
    private static final long MICROS_PER_DAY = 86_400L * MICROS_PER_SECOND;
    /** The year 10000, from which on years have a sign and more digits. */
    private static final long END_OF_SHORT_YEARS = LocalDate.of(10_000, 1, 1).toEpochDay() * MICROS_PER_DAY;

    private static final int LENGTH = 27;

    private Timestamps() {}

    /**
     * Returns a time as text.
     *
     * @param micros microseconds since the epoch
     */
    public static String text(long micros) {
        if (micros < 0 || micros >= END_OF_SHORT_YEARS) {
            return RFC_3339.format(Instant.EPOCH.plus(micros, ChronoUnit.MICROS));
        }
        // A formatter takes a quarter of the time of writing a row
        LocalDate date = LocalDate.ofEpochDay(micros / MICROS_PER_DAY);
        int second = (int) (micros % MICROS_PER_DAY / MICROS_PER_SECOND);
        byte[] text = new byte[LENGTH];
        put(text, 0, 4, date.getYear());
        text[4] = '-';
        put(text, 5, 2, date.getMonthValue());
        text[7] = '-';
        put(text, 8, 2, date.getDayOfMonth());
        text[10] = 'T';
        put(text, 11, 2, second / 3600);
        text[13] = ':';
        put(text, 14, 2, second / 60 % 60);
        text[16] = ':';
        put(text, 17, 2, second % 60);
        text[19] = '.';
        put(text, 20, 6, (int) (micros % MICROS_PER_SECOND));
        text[26] = 'Z';
        return new String(text, ISO_8859_1);
    }

    private static void put(byte[] text, int from, int digits, int number) {
        int rest = number;
        for (int i = from + digits - 1; i >= from; i--) {
            text[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }
}
