package io.cordwood.trino;

import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.logblock.schema.ColumnType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Made-up log rows with all the types, nulls and awkward values that the connector has to get right. */
final class SampleLogs {
    /** 2026-01-10T00:00:00Z. */
    static final long START_MICROS = 1_768_003_200_000_000L;

    static final List<ColumnDefinition> COLUMNS = List.of(
            ColumnDefinition.keyword("level"),
            ColumnDefinition.keyword("host.name"),
            ColumnDefinition.text("message"),
            ColumnDefinition.of("status", ColumnType.BIGINT),
            ColumnDefinition.of("latency", ColumnType.DOUBLE),
            ColumnDefinition.of("fail", ColumnType.BOOLEAN),
            ColumnDefinition.of("size", ColumnType.BIGINT),
            ColumnDefinition.of("size.double", ColumnType.DOUBLE));

    private static final String[] LEVELS = {"INFO", "info", "WARN", "ERROR", "fatal error", "", "50%_off\\"};
    private static final String[] WORDS = {
        "disk", "Disk", "full", "user_id", "10.0.0.1", "timeout", "connection", "reset", "日志", "Ärger", "x", "%", "42"
    };
    private static final double[] DOUBLES = {
        0.0, -0.0, 1.5, -2.25, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1e300, 9007199254740992.0
    };
    private static final long[] LONGS = {0, 1, -1, 200, 404, 500, Long.MAX_VALUE, Long.MIN_VALUE, (1L << 53) + 1};

    private SampleLogs() {}

    /** Writes rows of three days from two partitions in several commits. */
    static void write(SampleTables tables, String tenantId, int count, long seed) {
        Random random = new Random(seed);
        int commits = 4;
        for (int commit = 0; commit < commits; commit++) {
            List<SampleRow> rows = new ArrayList<>();
            for (int i = 0; i < count / commits; i++) {
                rows.add(row(random, commit));
            }
            tables.write(tenantId, "logs", commit % 2, COLUMNS, rows);
        }
    }

    /** Rows that a JSON object can hold: no NaN, nothing that only {@code attributes} takes. */
    static List<SampleRow> rows(Random random, int count) {
        List<SampleRow> rows = new ArrayList<>();
        while (rows.size() < count) {
            SampleRow row = row(random, random.nextInt(3));
            Map<String, Object> values = new LinkedHashMap<>(row.values());
            values.remove("attributes");
            values.values().removeIf(value -> value instanceof Double number && !Double.isFinite(number));
            rows.add(new SampleRow(row.micros(), values));
        }
        return rows;
    }

    private static SampleRow row(Random random, int commit) {
        // Times repeat, so that ties have to be broken
        long micros = START_MICROS + commit * 43_200_000_000L + random.nextInt(4000) * 10_000_000L;
        Map<String, Object> values = new LinkedHashMap<>();
        put(values, random, "level", LEVELS[random.nextInt(LEVELS.length)]);
        put(values, random, "host.name", "host-" + random.nextInt(20));
        put(values, random, "message", message(random));
        put(values, random, "status", LONGS[random.nextInt(LONGS.length)]);
        put(values, random, "latency", DOUBLES[random.nextInt(DOUBLES.length)]);
        put(values, random, "fail", random.nextBoolean());
        if (random.nextInt(3) > 0) {
            put(values, random, "size", LONGS[random.nextInt(LONGS.length)]);
        } else {
            put(values, random, "size.double", DOUBLES[random.nextInt(DOUBLES.length)]);
        }
        if (random.nextInt(4) == 0) {
            values.put("attributes", Map.of("trace", "t" + random.nextInt(50), "level", "odd"));
        }
        return new SampleRow(micros, values);
    }

    private static void put(Map<String, Object> values, Random random, String name, Object value) {
        if (random.nextInt(10) > 0) {
            values.put(name, value);
        }
    }

    private static String message(Random random) {
        StringBuilder message = new StringBuilder();
        int words = random.nextInt(6);
        for (int i = 0; i < words; i++) {
            message.append(i == 0 ? "" : " ").append(WORDS[random.nextInt(WORDS.length)]);
        }
        return message.toString();
    }
}
