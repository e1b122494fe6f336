package io.cordwood.trino;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A row to put into a table.
 *
 * @param micros its time
 * @param values its columns by stored name; what is absent is null
 */
record SampleRow(long micros, Map<String, Object> values) {
    /** A row of these columns and values: name, value, name, value, ... */
    static SampleRow of(String time, Object... namesAndValues) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            values.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        Instant instant = Instant.parse(time);
        return new SampleRow(instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1000, values);
    }

    int epochDay() {
        return (int) Math.floorDiv(micros, 86_400_000_000L);
    }
}
