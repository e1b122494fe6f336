package io.cordwood.catalog.table;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The time before which rows of a table are gone, by retention. Stateless, thread-safe.
 *
 * <p>It stands in the table property {@value #PROPERTY} as a time in UTC, for instance {@code 2026-02-03T00:00:00Z},
 * the beginning of a day. The commit that removes the expired LogBlocks sets it and nothing ever lowers it, so that
 * rows of an expired day that arrive later, or still wait in Kafka, do not make the day come back: readers leave older
 * rows out, and the ingest job does not store them.
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
     * The value of the property when days before this one have expired; no earlier than what the table says already.
     */
    public static String raised(Map<String, String> properties, LocalDate firstKeptDay) {
        Instant wanted = firstKeptDay.atStartOfDay(ZoneOffset.UTC).toInstant();
        OptionalLong present = micros(properties);
        return present.isPresent() && present.getAsLong() > ChronoUnit.MICROS.between(Instant.EPOCH, wanted)
                ? properties.get(PROPERTY)
                : wanted.toString();
    }
}
