package io.cordwood.gateway.redact;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.cordwood.record.json.JsonComposer;
import io.cordwood.record.json.JsonText;
import io.cordwood.record.json.TextSink;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Takes sensitive values out of some rows in JSON: out of strings, names and numbers. A row that is no JSON object is
 * taken for text, so that nothing passes because it is malformed. All that is not sensitive stays as it is, byte by
 * byte. Not thread-safe.
 */
public final class Redaction {
    private static final String SECRET = "secret";
    private static final int ESCAPE_DIGITS = 4;

    private final Redactor redactor;
    private final Map<String, Long> counts = new TreeMap<>();
    private final TextSink unescaped = new TextSink();
    private final JsonComposer composer = new JsonComposer();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private byte[] row = new byte[0];
    private int to;
    /** The row before this is written, or left out. */
    private int written;

    private boolean isChanged;
    /** Whether the string that {@link #stringEnd} found has escapes. */
    private boolean hasEscapes;

    Redaction(Redactor redactor) {
        this.redactor = redactor;
    }

    /** How many values were taken out, by their kind. */
    public Map<String, Long> counts() {
        return counts;
    }

    /** A row without its sensitive values; empty if it has none. */
    public Optional<byte[]> redacted(byte[] data, int from, int end) {
        row = data;
        to = end;
        written = from;
        isChanged = false;
        out.reset();
        if (from == end || row[from] != '{') {
            text(from, end);
        } else {
            object(from);
        }
        if (!isChanged) {
            return Optional.empty();
        }
        out.write(row, written, to - written);
        return Optional.of(out.toByteArray());
    }

    private void object(int from) {
        boolean isSecret = false;
        int at = from;
        while (at < to) {
            if (row[at] == '"') {
                int end = stringEnd(at + 1);
                if (end == to) {
                    // It does not end: no JSON
                    text(at, to);
                    return;
                }
                boolean isName = isName(end + 1);
                if (isSecret && !isName) {
                    wholeString(at + 1, end);
                } else {
                    string(at + 1, end);
                }
                isSecret = isName && redactor.looksAtNames() && Secrets.isSecretName(row, at + 1, end);
                at = end + 1;
            } else {
                int end = at;
                while (end < to && row[end] != '"') {
                    end++;
                }
                isSecret = isSecret && isStringNext(at, end);
                plain(Math.max(at, written), end);
                at = end;
            }
        }
    }

    /** The end of the string, at its quote. */
    private int stringEnd(int from) {
        hasEscapes = false;
        int end = from;
        while (end < to && row[end] != '"') {
            if (row[end] == '\\') {
                hasEscapes = true;
                end++;
            }
            end++;
        }
        return Math.min(end, to);
    }

    /** Whether a string that ends here is the name of a member. */
    private boolean isName(int after) {
        int at = after;
        while (at < to && isBlank(row[at])) {
            at++;
        }
        return at < to && row[at] == ':';
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t' || b == '\r' || b == '\n';
    }

    /** Whether the value is a string that comes next. If it is a number, that is taken out. */
    private boolean isStringNext(int from, int end) {
        int at = from;
        while (at < end && (isBlank(row[at]) || row[at] == ':')) {
            at++;
        }
        if (at == end) {
            return true;
        }
        if (isNumber(row[at])) {
            number(at, numberEnd(at, end), SECRET);
        }
        return false;
    }

    private static boolean isNumber(byte b) {
        return Bytes.isDigit(b) || b == '-' || b == '+' || b == '.' || b == 'e' || b == 'E';
    }

    /** A string that is sensitive by its name. */
    private void wholeString(int from, int end) {
        if (from < end) {
            replace(from, end, marker(SECRET));
            count(SECRET, 1);
        }
    }

    private void string(int from, int end) {
        if (!hasEscapes || !areEscapesValid(from, end)) {
            text(from, end);
            return;
        }
        unescaped.reset();
        JsonText.unescape(row, from, end, unescaped);
        byte[] text = unescaped.array();
        int length = unescaped.length();
        boolean isFound = false;
        for (Detector detector : redactor.detectors()) {
            List<Match> matches = detector.matches(text, 0, length);
            if (!matches.isEmpty()) {
                text = without(text, 0, length, matches, detector);
                length = text.length;
                isFound = true;
            }
        }
        if (isFound) {
            composer.reset();
            composer.string(text, 0, length);
            replace(from - 1, end + 1, Arrays.copyOf(composer.array(), composer.length()));
        }
    }

    private boolean areEscapesValid(int from, int end) {
        int at = from;
        while (at < end) {
            if (row[at] != '\\') {
                at++;
            } else if (isEscape(at + 1, end)) {
                at += 2;
            } else {
                return false;
            }
        }
        return true;
    }

    /** Whether what stands behind a backslash is an escape. */
    private boolean isEscape(int at, int end) {
        if (at >= end || "\"\\/bfnrtu".indexOf(row[at]) < 0) {
            return false;
        }
        if (row[at] != 'u') {
            return true;
        }
        if (end - at <= ESCAPE_DIGITS) {
            return false;
        }
        for (int digit = at + 1; digit <= at + ESCAPE_DIGITS; digit++) {
            if (!Bytes.isHex(row[digit])) {
                return false;
            }
        }
        return true;
    }

    /** Text as it is, in which a marker needs no quotes. */
    private void text(int from, int end) {
        byte[] text = row;
        int start = from;
        int stop = end;
        for (Detector detector : redactor.detectors()) {
            List<Match> matches = detector.matches(text, start, stop);
            if (!matches.isEmpty()) {
                text = without(text, start, stop, matches, detector);
                start = 0;
                stop = text.length;
            }
        }
        if (text != row) {
            replace(from, end, text);
        }
    }

    /** What is between strings: each number with a sensitive value is taken out whole. */
    private void plain(int from, int end) {
        int at = from;
        while (at < end) {
            if (!isNumber(row[at])) {
                at++;
                continue;
            }
            int stop = numberEnd(at, end);
            for (Detector detector : redactor.detectors()) {
                if (!detector.matches(row, at, stop).isEmpty()) {
                    number(at, stop, detector.name());
                    break;
                }
            }
            at = stop;
        }
    }

    private int numberEnd(int from, int end) {
        int stop = from;
        while (stop < end && isNumber(row[stop])) {
            stop++;
        }
        return stop;
    }

    /** A number becomes a string. */
    private void number(int from, int end, String kind) {
        replace(from, end, "\"[redacted:%s]\"".formatted(kind).getBytes(US_ASCII));
        count(kind, 1);
    }

    private byte[] without(byte[] text, int from, int end, List<Match> matches, Detector detector) {
        byte[] marker = marker(detector.name());
        ByteArrayOutputStream without = new ByteArrayOutputStream(end - from);
        int at = from;
        for (Match match : matches) {
            without.write(text, at, match.from() - at);
            without.writeBytes(marker);
            at = match.to();
        }
        without.write(text, at, end - at);
        count(detector.name(), matches.size());
        return without.toByteArray();
    }

    private static byte[] marker(String kind) {
        return "[redacted:%s]".formatted(kind).getBytes(US_ASCII);
    }

    private void replace(int from, int end, byte[] by) {
        out.write(row, written, from - written);
        out.writeBytes(by);
        written = end;
        isChanged = true;
    }

    private void count(String kind, int values) {
        counts.merge(kind, (long) values, Long::sum);
    }
}
