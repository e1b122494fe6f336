package io.cordwood.gateway.syslog;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What an application tells a daemon of syslog, and the row that comes of it. Immutable.
 *
 * @param number tells it from others
 * @param ending of the text
 */
record LoggedLine(int number, String ending) {
    private static final long SECONDS = 1_795_160_000;
    private static final DateTimeFormatter WITHOUT_YEAR =
            DateTimeFormatter.ofPattern("MMM dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final List<Priority> PRIORITIES = List.of(
            new Priority(34, "auth", "crit"),
            new Priority(13, "user", "notice"),
            new Priority(30, "daemon", "info"),
            new Priority(0, "kern", "emerg"),
            new Priority(191, "local7", "debug"),
            new Priority(132, "local0", "warning"),
            new Priority(83, "authpriv", "error"));

    private record Priority(int value, String facility, String level) {}

    private Priority priority() {
        return PRIORITIES.get(number % PRIORITIES.size());
    }

    private Instant time() {
        return Instant.ofEpochSecond(SECONDS).plus(number * 1_001L, ChronoUnit.MICROS);
    }

    private String host() {
        return "web-" + number % 5;
    }

    private String app() {
        return "app" + number % 3;
    }

    private String process() {
        return Integer.toString(100 + number);
    }

    String text() {
        return "line " + number + " said: \"no\" [x] and \\ left, é 日本 \uD83D\uDE00" + ending;
    }

    private String note() {
        return "a\\b \"" + number + "\" [é]";
    }

    /** In RFC 5424. */
    String rfc5424() {
        return "<%d>1 %s %s %s %s ID%d [shop@1 order=\"%d\" note=\"%s\"][other@2 empty=\"\"] %s"
                .formatted(
                        priority().value(),
                        time(),
                        host(),
                        app(),
                        process(),
                        number % 4,
                        number,
                        note().replaceAll("[\\\\\"\\]]", "\\\\$0"),
                        text());
    }

    /** In RFC 3164. */
    String rfc3164() {
        return "<%d>%s %s %s[%s]: %s"
                .formatted(priority().value(), WITHOUT_YEAR.format(time()), host(), app(), process(), text());
    }

    /** All that RFC 3164 tells but the time. */
    Map<String, Object> headOfRow() {
        return Map.of(
                "facility", priority().facility(),
                "level", priority().level(),
                "host", host(),
                "app", app(),
                "procid", process(),
                "message", text());
    }

    /** All that RFC 3164 tells, with the time as RFC 3339 has it. */
    Map<String, Object> rowWithTime() {
        return with(headOfRow(), Map.of("ts", ChronoUnit.MICROS.between(Instant.EPOCH, time())));
    }

    /** All that RFC 5424 tells. */
    Map<String, Object> row() {
        return with(
                rowWithTime(),
                Map.of(
                        "msgid",
                        "ID" + number % 4,
                        "shop@1.order",
                        Integer.toString(number),
                        "shop@1.note",
                        note(),
                        "other@2.empty",
                        ""));
    }

    private static Map<String, Object> with(Map<String, Object> row, Map<String, Object> more) {
        Map<String, Object> all = new HashMap<>(row);
        all.putAll(more);
        return all;
    }
}
