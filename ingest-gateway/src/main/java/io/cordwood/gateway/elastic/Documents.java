package io.cordwood.gateway.elastic;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.gateway.elastic.Additions.Addition;
import io.cordwood.gateway.row.JsonObjects;
import io.cordwood.gateway.send.LineBatches;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.json.JsonScanner;
import io.cordwood.record.json.JsonScanner.Token;
import io.cordwood.record.json.JsonText;
import io.cordwood.record.json.TextSink;
import java.util.Arrays;
import java.util.List;

/**
 * Checks documents as the ingest job will check them, and adds members by putting them behind the opening brace. What
 * the client wrote stays as it is, but for an {@code @timestamp} that is the text of a number: for Elasticsearch that
 * is a time, so it becomes the number. Not thread-safe.
 */
final class Documents {
    private static final byte[] TIMESTAMP = "@timestamp".getBytes(UTF_8);
    /** Shorter ones may be years and days. */
    private static final int FEWEST_DIGITS = 10;

    private final JsonScanner scanner = new JsonScanner();
    private final TextSink name = new TextSink();
    private byte[] widened = new byte[1 << 10];
    private List<Addition> wanted = List.of();
    /** A bit for each addition that the document has already. */
    private int present;

    /**
     * Adds a document as a row.
     *
     * @throws UndecodableRecordException unless the bytes are one object and nothing else
     */
    void add(byte[] data, int from, int to, Additions additions, LineBatches target) throws UndecodableRecordException {
        wanted = additions.members();
        present = 0;
        scanner.reset(data, from, to);
        scanner.expect('{');
        int members = scanner.position();
        boolean isEmpty = scanner.peek() == '}';
        if (isEmpty) {
            scanner.position(scanner.position() + 1);
        } else {
            readMembers();
        }
        scanner.expectEnd();
        if (Integer.bitCount(present) == wanted.size()) {
            JsonObjects.addOnOneLine(target, data, from, to);
        } else {
            addWidened(data, members, to, isEmpty, target);
        }
    }

    private void readMembers() throws UndecodableRecordException {
        while (true) {
            scanner.expect('"');
            scanner.string();
            byte[] data = scanner.data();
            int start = scanner.start();
            int stop = scanner.stop();
            if (!wanted.isEmpty() && scanner.isEscaped()) {
                name.reset();
                JsonText.unescape(data, start, stop, name);
                data = name.array();
                start = 0;
                stop = name.length();
            }
            scanner.expect(':');
            Token token = scanner.value();
            if (token == Token.OBJECT || token == Token.ARRAY) {
                scanner.skipContainer(scanner.start(), 1);
            } else if (token == Token.STRING && Arrays.equals(data, start, stop, TIMESTAMP, 0, TIMESTAMP.length)) {
                removeQuotesOfNumber(scanner.data(), scanner.start(), scanner.stop());
            }
            find(data, start, stop, token);
            if (scanner.peek() == '}') {
                scanner.position(scanner.position() + 1);
                return;
            }
            scanner.expect(',');
        }
    }

    /** In place, as spaces: the text of a number, perhaps with a fraction. */
    private static void removeQuotesOfNumber(byte[] data, int from, int to) {
        int point = from;
        while (point < to && data[point] >= '0' && data[point] <= '9') {
            point++;
        }
        int end = point;
        if (end < to && data[end] == '.') {
            do {
                end++;
            } while (end < to && data[end] >= '0' && data[end] <= '9');
        }
        boolean isNumber = end == to && end != point + 1 && point - from >= FEWEST_DIGITS && data[from] != '0';
        if (isNumber) {
            data[from - 1] = ' ';
            data[to] = ' ';
        }
    }

    /** Marks the additions that a member is, or that are members of it. */
    private void find(byte[] data, int from, int to, Token token) throws UndecodableRecordException {
        int length = to - from;
        for (int i = 0; i < wanted.size(); i++) {
            byte[] each = wanted.get(i).name();
            if (each.length < length || !begins(each, data, from, length)) {
                continue;
            }
            if (each.length == length) {
                present |= 1 << i;
            } else if (token == Token.OBJECT && each[length] == '.' && has(each, length + 1)) {
                present |= 1 << i;
            }
        }
    }

    private static boolean begins(byte[] text, byte[] data, int from, int length) {
        for (int i = 0; i < length; i++) {
            int c = data[from + i];
            if (text[i] != (c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the object just read has a member whose name is the rest of an addition's. */
    private boolean has(byte[] wantedName, int from) throws UndecodableRecordException {
        int open = scanner.start();
        int end = scanner.stop();
        boolean found = false;
        scanner.position(open + 1);
        while (!found && scanner.peek() == '"') {
            scanner.position(scanner.position() + 1);
            scanner.string();
            found = scanner.stop() - scanner.start() == wantedName.length - from
                    && begins(
                            Arrays.copyOfRange(wantedName, from, wantedName.length),
                            scanner.data(),
                            scanner.start(),
                            wantedName.length - from);
            scanner.expect(':');
            Token token = scanner.value();
            if (token == Token.OBJECT || token == Token.ARRAY) {
                scanner.skipContainer(scanner.start(), 2);
            }
            if (scanner.peek() == ',') {
                scanner.position(scanner.position() + 1);
                scanner.peek();
            }
        }
        // The next addition may be in the same object
        scanner.position(open);
        scanner.value();
        scanner.skipContainer(open, 1);
        return found && scanner.position() == end;
    }

    private void addWidened(byte[] data, int members, int to, boolean isEmpty, LineBatches target) {
        int length = 1;
        for (Addition each : wanted) {
            length += each.text().length + 1;
        }
        length += to - members;
        if (widened.length < length) {
            widened = new byte[Math.max(length, 2 * widened.length)];
        }
        widened[0] = '{';
        int at = 1;
        for (int i = 0; i < wanted.size(); i++) {
            if ((present & 1 << i) == 0) {
                byte[] text = wanted.get(i).text();
                System.arraycopy(text, 0, widened, at, text.length);
                at += text.length;
                widened[at++] = ',';
            }
        }
        if (isEmpty) {
            at--;
        }
        System.arraycopy(data, members, widened, at, to - members);
        JsonObjects.addOnOneLine(target, widened, 0, at + to - members);
    }
}
