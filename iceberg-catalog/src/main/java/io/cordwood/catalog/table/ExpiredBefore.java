package io.cordwood.catalog.table;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The time before which retention has removed the rows of a table. Stateless, thread-safe.
 *
 * <p>The table property {@value #PROPERTY} holds it as a time in UTC, the beginning of a day, for instance {@code
 * 2026-02-03T00:00:00Z}. The commit that removes the expired LogBlocks raises it, and no commit lowers it. So an
 * expired day does not come back with rows that arrive later or still wait in Kafka: readers leave older rows out, and
 * the ingest job does not store them.
 */
public final class ExpiredBefore {
    /** Name of the table property. */
    public static final String PROPERTY = "cordwood.expired-before";

    private ExpiredBefore() {}

    /**
     * The time in the properties of a table, in microseconds since the epoch; empty if nothing has expired yet.
     *
     * @throws IllegalArgumentException if the property is malformed
     */
    public static OptionalLong micros(Map<String, String> properties) {
        String text = properties.get(PROPERTY);
        if (text == null) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse(text)));
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "Property %s is '%s'; it must be a time such as 2026-02-03T00:00:00Z".formatted(PROPERTY, text), e);
        }
    }

    /**
     * The value of the property after the expiry of days before this one; never below the present value.
     */
    public static String raised(Map<String, String> properties, LocalDate firstKeptDay) {
        Instant expired = firstKeptDay.atStartOfDay(ZoneOffset.UTC).toInstant();
        OptionalLong present = micros(properties);
        return present.isPresent() && present.getAsLong() > ChronoUnit.MICROS.between(Instant.EPOCH, expired)
                ? properties.get(PROPERTY)
                : expired.toString();
    }
}
