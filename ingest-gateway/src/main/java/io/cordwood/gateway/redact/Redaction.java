package io.cordwood.gateway.redact;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import io.cordwood.gateway.send.LineBatches;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.json.JsonComposer;
import io.cordwood.record.json.JsonScanner;
import io.cordwood.record.json.JsonText;
import io.cordwood.record.json.TextSink;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
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
    private static final int MAX_NUMBER = 40;
    private static final int NONE = -1;
    private static final List<String> LITERALS =
            List.of("true", "false", "null", "NaN", "Infinity", "-Infinity", "+Infinity");

    private final Redactor redactor;
    private final Map<String, Long> totals = new TreeMap<>();
    /** Of the current row. */
    private final Map<String, Long> counts = new TreeMap<>();

    private final Map<String, byte[]> markers = new TreeMap<>();

    private final TextSink unescaped = new TextSink();
    private final JsonScanner scanner = new JsonScanner();
    private final JsonComposer composer = new JsonComposer();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private byte[] row = new byte[0];
    private int to;
    /** The row before this is written, or left out. */
    private int written;

    private boolean isChanged;
    /** Whether the string that {@link #stringEnd} found has escapes. */
    private boolean hasEscapes;

    /** How many objects and arrays are open. */
    private int depth;
    /** How many are around the value of a member that is sensitive by its name; {@link #NONE} outside of such. */
    private int secretDepth;
    /** Whether the next value is sensitive by its name. */
    private boolean isSecretNext;
    /** Whether it is not, if it is a directory. */
    private boolean isDirectoryNext;

    Redaction(Redactor redactor) {
        this.redactor = redactor;
    }

    /** How many values were taken out, by their kind. */
    public Map<String, Long> counts() {
        return totals;
    }

    /** A row without its sensitive values; empty if it has none. */
    public Optional<byte[]> redacted(byte[] data, int from, int end) {
        row = data;
        to = end;
        begin(from);
        int first = from;
        while (first < end && isBlank(row[first])) {
            first++;
        }
        if (first == end || row[first] != '{' || !object(first)) {
            begin(from);
            text(from, end);
        }
        if (!isChanged) {
            return Optional.empty();
        }
        out.write(row, written, to - written);
        counts.forEach((kind, values) -> totals.merge(kind, values, Long::sum));
        return Optional.of(out.toByteArray());
    }

    private void begin(int from) {
        written = from;
        isChanged = false;
        out.reset();
        counts.clear();
        depth = 0;
        secretDepth = NONE;
        isSecretNext = false;
        isDirectoryNext = false;
    }

    /** Goes through a JSON object; false if it is none, as far as it matters here. */
    private boolean object(int from) {
        int at = from;
        while (at < to) {
            int end;
            if (row[at] == '"') {
                end = stringEnd(at + 1);
                if (end == to) {
                    return false;
                }
                member(at + 1, end);
                end++;
            } else {
                end = at;
                while (end < to && row[end] != '"') {
                    end++;
                }
                if (!plain(at, end)) {
                    return false;
                }
            }
            at = end;
        }
        return true;
    }

    /** A string: the name of a member, or a value. */
    private void member(int from, int end) {
        boolean isName = isName(end + 1);
        if (!isName && (isSecretNext || secretDepth != NONE)) {
            if (from < end && !(isDirectoryNext && NamedSecrets.isPath(row, from, end))) {
                replace(from, end, marker(Secrets.NAME));
                count(Secrets.NAME);
            }
        } else {
            string(from, end);
        }
        isSecretNext = isName && redactor.looksAtNames() && isSecretName(from, end);
        isDirectoryNext = isSecretNext && Bytes.endsWithIgnoringCase(row, from, end, "pwd");
    }

    private boolean isSecretName(int from, int end) {
        if (!hasEscapes || !areEscapesValid(from, end)) {
            return isSecretPath(row, from, end);
        }
        unescaped.reset();
        JsonText.unescape(row, from, end, unescaped);
        return isSecretPath(unescaped.array(), 0, unescaped.length());
    }

    /** Whether a name, or one of the objects around it, is sensitive: steps join their names with dots. */
    private static boolean isSecretPath(byte[] name, int from, int end) {
        for (int i = from; i < end; i++) {
            if (name[i] == '.' && SecretNames.isSecret(name, from, i)) {
                return true;
            }
        }
        return SecretNames.isSecret(name, from, end);
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

    /** What is between strings; false if JSON has no such thing there. */
    private boolean plain(int from, int end) {
        int at = from;
        while (at < end) {
            switch (row[at]) {
                case '{', '[' -> {
                    if (isSecretNext && secretDepth == NONE) {
                        secretDepth = depth;
                    }
                    depth++;
                    isSecretNext = false;
                    at++;
                }
                case '}', ']' -> {
                    depth--;
                    if (depth < 0) {
                        return false;
                    }
                    secretDepth = depth <= secretDepth ? NONE : secretDepth;
                    at++;
                }
                case ',' -> {
                    isSecretNext = false;
                    at++;
                }
                case ':', ' ', '\t', '\r', '\n' -> at++;
                default -> {
                    int literal = literalEnd(at, end);
                    int stop = literal > 0 ? literal : numberEnd(at, end);
                    if (stop == at) {
                        return false;
                    }
                    if (literal < 0) {
                        number(at, stop);
                    }
                    at = stop;
                }
            }
        }
        return true;
    }

    private int literalEnd(int from, int end) {
        for (String literal : LITERALS) {
            if (Bytes.startsWith(row, from, end, literal)) {
                return from + literal.length();
            }
        }
        return -1;
    }

    private int numberEnd(int from, int end) {
        int stop = from;
        while (stop < end && isNumber(row[stop])) {
            stop++;
        }
        return stop;
    }

    private static boolean isNumber(byte b) {
        return Bytes.isDigit(b) || b == '-' || b == '+' || b == '.' || b == 'e' || b == 'E';
    }

    /** A number with a sensitive value becomes a string. */
    private void number(int from, int end) {
        String kind = isSecretNext || secretDepth != NONE ? Secrets.NAME : kindOfNumber(from, end);
        if (!kind.isEmpty()) {
            replace(from, end, "\"[redacted:%s]\"".formatted(kind).getBytes(US_ASCII));
            count(kind);
        }
    }

    private String kindOfNumber(int from, int end) {
        for (Detector detector : redactor.detectors()) {
            if (!detector.matches(row, from, end).isEmpty()) {
                return detector.name();
            }
        }
        byte[] digits = writtenOut(from, end);
        for (Detector detector : redactor.detectors()) {
            if (!detector.matches(digits, 0, digits.length).isEmpty()) {
                return detector.name();
            }
        }
        return "";
    }

    /** The digits of a whole number that is written with a fraction or an exponent; else none. */
    private byte[] writtenOut(int from, int end) {
        boolean isPlain = true;
        for (int i = from; i < end; i++) {
            isPlain &= row[i] != '.' && row[i] != 'e' && row[i] != 'E';
        }
        if (isPlain || end - from > MAX_NUMBER) {
            return new byte[0];
        }
        try {
            BigDecimal number = new BigDecimal(new String(row, from, end - from, US_ASCII));
            boolean isShort = Math.abs(number.scale()) <= MAX_NUMBER && Math.abs(number.precision()) <= MAX_NUMBER;
            return isShort && number.stripTrailingZeros().scale() <= 0
                    ? number.toBigInteger().toString().getBytes(US_ASCII)
                    : new byte[0];
        } catch (NumberFormatException e) {
            return new byte[0];
        }
    }

    private void string(int from, int end) {
        if (!hasEscapes || !areEscapesValid(from, end)) {
            text(from, end);
            return;
        }
        unescaped.reset();
        JsonText.unescape(row, from, end, unescaped);
        List<Found> found = found(unescaped.array(), 0, unescaped.length());
        if (!found.isEmpty()) {
            byte[] text = without(unescaped.array(), 0, unescaped.length(), found);
            composer.reset();
            composer.string(text, 0, text.length);
            replace(from - 1, end + 1, Arrays.copyOf(composer.array(), composer.length()));
        }
    }

    private boolean areEscapesValid(int from, int end) {
        // With its closing quote
        scanner.reset(row, from, end + 1);
        try {
            scanner.string();
            return true;
        } catch (UndecodableRecordException e) {
            return false;
        }
    }

    /** Text as it is, in which a marker needs no quotes. */
    private void text(int from, int end) {
        List<Found> found = found(row, from, end);
        if (!found.isEmpty()) {
            replace(from, end, without(row, from, end, found));
        }
    }

    /** A part of a text that goes, and the kind that stands in its place. */
    private record Found(int from, int to, String kind) {}

    /** What all detectors find in the text as it came. Values that meet are one. */
    private List<Found> found(byte[] text, int from, int end) {
        List<Found> all = new ArrayList<>();
        for (Detector detector : redactor.detectors()) {
            for (Match match : detector.matches(text, from, end)) {
                all.add(new Found(match.from(), match.to(), detector.name()));
            }
        }
        if (all.size() < 2) {
            return all;
        }
        all.sort(Comparator.comparingInt(Found::from));
        List<Found> united = new ArrayList<>();
        for (Found each : all) {
            if (united.isEmpty() || each.from() >= united.getLast().to()) {
                united.add(each);
            } else if (each.to() > united.getLast().to()) {
                Found last = united.removeLast();
                united.add(new Found(last.from(), each.to(), last.kind()));
            }
        }
        return united;
    }

    private byte[] without(byte[] text, int from, int end, List<Found> found) {
        ByteArrayOutputStream without = new ByteArrayOutputStream(end - from);
        int at = from;
        for (Found each : found) {
            without.write(text, at, each.from() - at);
            without.writeBytes(marker(each.kind()));
            at = each.to();
            count(each.kind());
            requireSize(without);
        }
        without.write(text, at, end - at);
        return without.toByteArray();
    }

    private byte[] marker(String kind) {
        return markers.computeIfAbsent(
                kind, any -> "[redacted:%s]".formatted(kind).getBytes(US_ASCII));
    }

    private void replace(int from, int end, byte[] by) {
        out.write(row, written, from - written);
        out.writeBytes(by);
        requireSize(out);
        written = end;
        isChanged = true;
    }

    /** Markers may be longer than what they stand for. */
    private static void requireSize(ByteArrayOutputStream text) {
        if (text.size() > LineBatches.MAX_ROW_BYTES) {
            throw new RefusedException(Reason.TOO_LARGE, "A row is too large without its sensitive values");
        }
    }

    private void count(String kind) {
        counts.merge(kind, 1L, Long::sum);
    }
}
