package io.cordwood.query.language;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * A row with values of {@link SampleColumns}, some of them null.
 *
 * @param values the values that are not null, by column; entries of {@code attributes} under {@code attributes.<key>}
 */
record SampleRow(Map<String, Object> values) {
    static final List<String> TEXTS = List.of(
            "web",
            "Web-01",
            "web01-",
            "connection timeout",
            "Connection reset, timeout OR retry",
            "OR",
            "ä Größe",
            "Ä",
            "北京 web",
            "a_b%c\\",
            "say \"hi\" web",
            "web*",
            "5",
            "a*b",
            "/api/v1",
            "/API/v1",
            "",
            "--");
    static final List<Long> BIGINTS = List.of(-1L, 0L, 1L, 499L, 500L, 501L, 1000L, Long.MIN_VALUE, Long.MAX_VALUE);
    static final List<Double> DOUBLES =
            List.of(-1.0, -0.0, 0.0, 0.5, 1.5, 500.0, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY);

    private static final int NULL_SHARE = 4;

    static SampleRow random(Random random) {
        Map<String, Object> values = new HashMap<>();
        values.put("tenant_id", "acme");
        values.put("ts", time(random));
        for (String column : List.of(
                "message",
                "error.stack",
                "level",
                "host",
                "attributes.User.Id",
                "attributes.x",
                "seen",
                "status",
                "took",
                "fail")) {
            if (random.nextInt(NULL_SHARE) > 0) {
                values.put(
                        column,
                        switch (column) {
                            case "seen" -> time(random);
                            case "status" -> any(BIGINTS, random);
                            case "took" -> any(DOUBLES, random);
                            case "fail" -> random.nextBoolean();
                            default -> any(TEXTS, random);
                        });
            }
        }
        return new SampleRow(values);
    }

    /** Hours around {@link SampleColumns#NOW}, to the microsecond. */
    private static long time(Random random) {
        long now = SampleColumns.NOW.getEpochSecond() * 1_000_000 + 6;
        return now + random.nextInt(-30, 30) * 3_600_000_000L + random.nextInt(-1, 2);
    }

    static <T> T any(List<T> list, Random random) {
        return list.get(random.nextInt(list.size()));
    }

    Optional<Object> value(String column) {
        return Optional.ofNullable(values.get(column));
    }
}
