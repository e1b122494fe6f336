package io.cordwood.gateway.syslog;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.record.json.JsonComposer;
import io.cordwood.record.json.JsonText;
import io.cordwood.record.json.TextSink;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.Month;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Makes a row of a message of RFC 5424 or RFC 3164. What is neither is a row all the same: all of it is the message.
 * Not thread-safe.
 */
final class SyslogMessage {
    /** The structured data that names the tenant or has the API key; it does not become columns. */
    static final String OWN_ELEMENT = "cordwood@32473";

    private static final List<String> FACILITIES = List.of(
            "kern",
            "user",
            "mail",
            "daemon",
            "auth",
            "syslog",
            "lpr",
            "news",
            "uucp",
            "cron",
            "authpriv",
            "ftp",
            "ntp",
            "security",
            "console",
            "solaris-cron",
            "local0",
            "local1",
            "local2",
            "local3",
            "local4",
            "local5",
            "local6",
            "local7");
    private static final List<String> SEVERITIES =
            List.of("emerg", "alert", "crit", "error", "warning", "notice", "info", "debug");
    private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
    private static final int MAX_PRIORITY = 191;
    private static final int NONE = -1;
    /** As RFC 5424 says. */
    private static final int MAX_ID_BYTES = 32;

    private static final int KEPT_BYTES = 64 << 10;
    private static final char REPLACEMENT = '\uFFFD';
    private static final Pattern TAG_WITH_PROCESS = Pattern.compile("[^\\[]+\\[\\d+]");
    private static final Duration CLOCK_SKEW = Duration.ofDays(1);

    private final Clock clock;
    private JsonComposer row = new JsonComposer();
    private TextSink repaired = new TextSink();
    private byte[] data = new byte[0];
    private int at;
    private int end;
    private Optional<String> key = Optional.empty();
    private Optional<String> tenant = Optional.empty();

    SyslogMessage(Clock clock) {
        this.clock = clock;
    }

    /** The row of the last message: a JSON object. */
    byte[] row() {
        return row.array();
    }

    int rowLength() {
        return row.length();
    }

    /** The API key that the last message bore. */
    Optional<String> key() {
        return key;
    }

    /** The tenant that the last message named. */
    Optional<String> tenant() {
        return tenant;
    }

    /** Frees the memory of long messages. */
    void release() {
        data = new byte[0];
        if (row.array().length > KEPT_BYTES) {
            row = new JsonComposer();
        }
        if (repaired.array().length > KEPT_BYTES) {
            repaired = new TextSink();
        }
    }

    void read(byte[] newData, int from, int to) {
        data = newData;
        at = from;
        end = to;
        key = Optional.empty();
        tenant = Optional.empty();
        row.reset();
        row.open('{');
        int priority = readPriority();
        if (priority == NONE) {
            at = from;
        } else {
            member("facility", FACILITIES.get(priority >> 3));
            member("level", SEVERITIES.get(priority & 7));
            if (!readVersion5424()) {
                read3164();
            }
        }
        readMessage();
        row.close('}');
    }

    private int readPriority() {
        if (at >= end || data[at] != '<') {
            return NONE;
        }
        int value = 0;
        int i = at + 1;
        while (i < end && i < at + 4 && data[i] >= '0' && data[i] <= '9') {
            value = value * 10 + data[i] - '0';
            i++;
        }
        if (i == at + 1 || i >= end || data[i] != '>' || value > MAX_PRIORITY) {
            return NONE;
        }
        at = i + 1;
        return value;
    }

    /** Reads the header and structured data of RFC 5424, if they are there. */
    private boolean readVersion5424() {
        if (end - at < 2 || data[at] != '1' || data[at + 1] != ' ') {
            return false;
        }
        at += 2;
        word().ifPresent(time -> member("ts", time));
        word().ifPresent(host -> member("host", host));
        word().ifPresent(app -> member("app", app));
        word().ifPresent(process -> member("procid", process));
        word().ifPresent(id -> member("msgid", id));
        readStructuredData();
        if (at < end && data[at] == ' ') {
            at++;
        }
        if (end - at >= 3 && data[at] == (byte) 0xEF && data[at + 1] == (byte) 0xBB && data[at + 2] == (byte) 0xBF) {
            at += 3;
        }
        return true;
    }

    /** The next word; empty for the dash that stands for none. */
    private Optional<String> word() {
        int from = at;
        while (at < end && data[at] != ' ') {
            at++;
        }
        String word = text(from, at);
        if (at < end) {
            at++;
        }
        return word.equals("-") || word.isEmpty() ? Optional.empty() : Optional.of(word);
    }

    private void readStructuredData() {
        if (at < end && data[at] == '-') {
            at++;
            return;
        }
        while (at < end && data[at] == '[') {
            int open = at;
            if (!readElement()) {
                // Not structured data after all: it belongs to the message
                at = open;
                return;
            }
        }
    }

    private boolean readElement() {
        int from = ++at;
        while (at < end && data[at] > ' ' && data[at] <= '~' && data[at] != ']') {
            at++;
        }
        if (at - from > MAX_ID_BYTES) {
            // Each of its columns would repeat it
            return false;
        }
        String id = text(from, at);
        while (at < end && data[at] == ' ') {
            at++;
            int name = at;
            while (at < end && data[at] != '=' && data[at] != ']') {
                at++;
            }
            if (at + 1 >= end || data[at] != '=' || data[at + 1] != '"') {
                return false;
            }
            String parameter = text(name, at);
            at += 2;
            Optional<String> value = quoted();
            if (value.isEmpty()) {
                return false;
            }
            take(id, parameter, value.get());
        }
        if (at >= end || data[at] != ']') {
            return false;
        }
        at++;
        return true;
    }

    /** The rest of a value up to its closing quote; empty if there is none. */
    private Optional<String> quoted() {
        int from = at;
        boolean isEscaped = false;
        while (at < end && data[at] != '"') {
            if (data[at] == '\\') {
                isEscaped = true;
                at++;
            }
            at++;
        }
        if (at >= end) {
            return Optional.empty();
        }
        String value = text(from, at);
        at++;
        return Optional.of(isEscaped ? value.replaceAll("\\\\([\\\\\"\\]])", "$1") : value);
    }

    private void take(String id, String parameter, String value) {
        if (!id.equals(OWN_ELEMENT)) {
            member(id + "." + parameter, value);
        } else if (parameter.equals("key")) {
            key = Optional.of(value);
        } else if (parameter.equals("tenant")) {
            tenant = Optional.of(value);
        }
    }

    /** Reads as much of a header of RFC 3164 as is there: {@code Nov 27 12:00:00 host app[123]: }. */
    private void read3164() {
        if (end - at > 10 && data[at + 4] == '-' && data[at + 7] == '-' && data[at + 10] == 'T') {
            // As rsyslog forwards it with the time of RFC 3339
            word().ifPresent(time -> member("ts", time));
        } else {
            Optional<LocalDateTime> time = time3164();
            if (time.isEmpty()) {
                return;
            }
            member("ts", DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(time.get()) + "Z");
        }
        word().ifPresent(host -> member("host", host));
        int colon = at;
        while (colon < end && data[colon] != ':' && data[colon] != ' ') {
            colon++;
        }
        if (colon >= end) {
            return;
        }
        String tag = text(at, colon);
        // rsyslog writes no colon behind the tag of a message that came to it as RFC 5424
        if (data[colon] != ':' && !TAG_WITH_PROCESS.matcher(tag).matches()) {
            return;
        }
        int bracket = tag.indexOf('[');
        if (bracket > 0 && tag.endsWith("]")) {
            member("app", tag.substring(0, bracket));
            member("procid", tag.substring(bracket + 1, tag.length() - 1));
        } else {
            member("app", tag);
        }
        at = data[colon] == ' ' ? colon : colon + 1;
        if (at < end && data[at] == ' ') {
            at++;
        }
    }

    /** A time without year and zone: taken as UTC, and of this year unless that is in the future. */
    private Optional<LocalDateTime> time3164() {
        if (end - at < 16 || data[at + 15] != ' ') {
            return Optional.empty();
        }
        String text = new String(data, at, 15, US_ASCII);
        int month = MONTHS.indexOf(text.substring(0, 3));
        if (month < 0 || month % 3 != 0) {
            return Optional.empty();
        }
        try {
            LocalDateTime now = LocalDateTime.now(clock.withZone(ZoneOffset.UTC));
            Month parsed = Month.of(month / 3 + 1);
            int day = Integer.parseInt(text.substring(4, 6).strip());
            int hour = Integer.parseInt(text.substring(7, 9));
            int minute = Integer.parseInt(text.substring(10, 12));
            int second = Integer.parseInt(text.substring(13, 15));
            LocalDateTime time = LocalDateTime.of(now.getYear(), parsed, day, hour, minute, second);
            at += 16;
            return Optional.of(time.isAfter(now.plus(CLOCK_SKEW)) ? time.minusYears(1) : time);
        } catch (NumberFormatException | DateTimeException e) {
            return Optional.empty();
        }
    }

    private void readMessage() {
        int to = end;
        while (to > at && (data[to - 1] == '\n' || data[to - 1] == '\r' || data[to - 1] == 0)) {
            to--;
        }
        row.name("message");
        row.string(data, at, to);
    }

    /** Bytes that are not UTF-8 become {@code \xhh}, as those of the message do. */
    private String text(int from, int to) {
        String text = new String(data, from, to - from, UTF_8);
        if (text.indexOf(REPLACEMENT) < 0) {
            return text;
        }
        repaired.reset();
        JsonText.repair(data, from, to, repaired);
        return new String(repaired.array(), 0, repaired.length(), UTF_8);
    }

    private void member(String name, String value) {
        row.name(name);
        row.string(value);
    }
}
