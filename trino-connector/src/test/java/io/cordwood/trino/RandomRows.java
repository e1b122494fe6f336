package io.cordwood.trino;

import static io.cordwood.trino.RandomQuestionTimes.any;
import static java.util.stream.Collectors.joining;

import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.trino.AskedColumn.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Rows for random questions: every type, nulls, equal times, and values that a search has to quote. Stateless. */
final class RandomRows {
    static final List<ColumnDefinition> COLUMNS = List.of(
            ColumnDefinition.of("n", ColumnType.BIGINT),
            ColumnDefinition.keyword("level"),
            ColumnDefinition.keyword("host.name"),
            ColumnDefinition.keyword("odd name"),
            ColumnDefinition.text("message"),
            ColumnDefinition.text("detail.text"),
            ColumnDefinition.of("status", ColumnType.BIGINT),
            ColumnDefinition.of("took", ColumnType.DOUBLE),
            ColumnDefinition.of("ok", ColumnType.BOOLEAN),
            ColumnDefinition.of("size", ColumnType.BIGINT),
            ColumnDefinition.of("size.double", ColumnType.DOUBLE));

    private static final List<String> LEVELS =
            List.of("INFO", "info", "WARN", "ERROR", "fatal error", "", "OR", "ÄRGER");
    private static final List<String> HOSTS = List.of(
            "web-1",
            "web-2",
            "WEB-10",
            "db-3",
            "say \"hi\"",
            "a*b",
            "a?b",
            "50%_off\\",
            "日志",
            "😀",
            "(x)",
            "--",
            "x:y",
            "it's",
            "a b",
            "a",
            "Z");
    private static final List<String> WORDS = List.of(
            "disk",
            "Disk",
            "full",
            "user_id",
            "10.0.0.1",
            "timeout",
            "connection",
            "reset",
            "日志",
            "磁盘已满",
            "Ärger",
            "E\u0301t\u00e9",
            "%",
            "42",
            "what?",
            "it's",
            "OR",
            "-x",
            "x",
            "😀",
            "key:value",
            "\"q\"",
            "a*",
            "\\");
    private static final List<Long> LONGS =
            List.of(0L, 1L, -1L, 200L, 404L, 500L, 503L, Long.MAX_VALUE, Long.MIN_VALUE, (1L << 53) + 1);
    private static final List<Double> DOUBLES = List.of(0.0, -0.0, 1.5, -2.25, 0.1, 500.0, 1e300, 9007199254740992.0);
    private static final List<Object> SIZES = List.of(0L, 7L, -7L, 1000L, 0.5, 7.25, -1e9);
    private static final List<String> USERS = List.of("4711", "9", "10", "Ann", "ann", "a \"b\"", "*", "");

    private RandomRows() {}

    /** The columns that questions name. */
    static List<AskedColumn> asked() {
        List<String> phrases = Stream.of(
                        "disk full",
                        "Disk full user_id",
                        "user_id 10.0.0.1",
                        "connection reset",
                        "10.0",
                        "日志 磁盘已满",
                        "盘已",
                        "timeout x",
                        "nowhere",
                        "42 what?")
                .toList();
        List<String> texts = Stream.concat(WORDS.stream(), phrases.stream()).toList();
        return List.of(
                new AskedColumn("level", Kind.KEYWORD, LEVELS),
                new AskedColumn("host.name", Kind.KEYWORD, HOSTS),
                new AskedColumn("odd name", Kind.KEYWORD, HOSTS),
                new AskedColumn("attributes.user.id", Kind.KEYWORD, USERS),
                new AskedColumn("attributes.nowhere", Kind.KEYWORD, USERS),
                new AskedColumn("message", Kind.TEXT, texts),
                new AskedColumn("detail.text", Kind.TEXT, texts),
                new AskedColumn(
                        "n",
                        Kind.BIGINT,
                        IntStream.range(0, 60)
                                .mapToObj(i -> Integer.toString(i * 211))
                                .toList()),
                new AskedColumn(
                        "status",
                        Kind.BIGINT,
                        LONGS.stream().map(Object::toString).toList()),
                new AskedColumn(
                        "took",
                        Kind.DOUBLE,
                        DOUBLES.stream().map(Object::toString).toList()),
                new AskedColumn(
                        "size",
                        Kind.DOUBLE,
                        SIZES.stream().map(Object::toString).toList()),
                new AskedColumn("ok", Kind.BOOLEAN, List.of("true", "false")),
                new AskedColumn("ts", Kind.TIME, List.of()));
    }

    /** Rows as they are shipped; some are a batch late or more. */
    static List<SampleRow> shipped(Random random, int first, int count, int batch) {
        List<SampleRow> rows = new ArrayList<>();
        for (int n = first; n < first + count; n++) {
            int late = random.nextInt(10) == 0 ? random.nextInt(batch + 1) : 0;
            Map<String, Object> values = new LinkedHashMap<>(Map.of("n", (long) n));
            put(values, random, "level", any(random, LEVELS));
            put(values, random, "host.name", any(random, HOSTS));
            put(values, random, "odd name", any(random, HOSTS));
            put(values, random, "message", message(random));
            if (random.nextInt(3) == 0) {
                put(values, random, "detail.text", message(random));
                put(values, random, "user", Map.of("id", any(random, USERS)));
            }
            put(values, random, "status", any(random, LONGS));
            put(values, random, "took", any(random, DOUBLES));
            put(values, random, "ok", random.nextBoolean());
            put(values, random, "size", any(random, SIZES));
            rows.add(new SampleRow(RandomQuestionTimes.of(random, batch - late), values));
        }
        return rows;
    }

    private static void put(Map<String, Object> values, Random random, String name, Object value) {
        if (random.nextInt(8) > 0) {
            values.put(name, value);
        }
    }

    private static String message(Random random) {
        StringBuilder message = new StringBuilder();
        int words = random.nextInt(6);
        for (int i = 0; i < words; i++) {
            message.append(i == 0 ? "" : any(random, List.of(" ", " ", " ", ", ", "-", "")));
            message.append(any(random, WORDS));
        }
        return message.toString();
    }

    /** As the ingest job stores them: numbers by their type, and what has no column in the map of attributes. */
    static List<SampleRow> stored(List<SampleRow> rows) {
        return rows.stream().map(RandomRows::stored).toList();
    }

    private static SampleRow stored(SampleRow row) {
        Map<String, Object> values = new LinkedHashMap<>(row.values());
        if (values.remove("user") instanceof Map<?, ?> user) {
            values.put("attributes", Map.of("user.id", user.get("id")));
        }
        if (values.get("size") instanceof Double size) {
            values.remove("size");
            values.put("size.double", size);
        }
        return new SampleRow(row.micros(), values);
    }

    /** Four rows of one record, all of one time, which only their number in the record orders. */
    static byte[] record(Random random, int first) {
        long micros = RandomQuestionTimes.of(random, TwoTiers.BATCHES - 1);
        return IntStream.range(first, first + 4)
                .mapToObj(n -> """
                        {"timeUnixNano":"%d","severityText":"%s","body":{"stringValue":"disk full %d"},
                         "attributes":[{"key":"n","value":{"intValue":"%d"}}]}""".formatted(micros * 1000, any(random, List.of("INFO", "ERROR")), n, n))
                .collect(joining(",", "{\"resourceLogs\":[{\"scopeLogs\":[{\"logRecords\":[", "]}]}]}"))
                .getBytes(StandardCharsets.UTF_8);
    }
}
