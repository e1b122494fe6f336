package io.cordwood.gateway.splunk;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.json.JsonComposer;
import io.cordwood.record.json.JsonScanner;
import io.cordwood.record.json.JsonScanner.Token;
import io.cordwood.record.json.JsonText;
import io.cordwood.record.json.TextSink;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Takes events out of a body: JSON objects one after the other, or in an array. A row has the event's own members
 * first, so they win where the envelope has others of the same name. Not thread-safe.
 */
final class HecEvents {
    private static final byte[] MESSAGE = "message".getBytes(US_ASCII);
    private static final byte[] TIME = "ts".getBytes(US_ASCII);
    private static final List<String> NAMES =
            List.of("event", "time", "host", "source", "sourcetype", "index", "fields");
    private static final List<byte[]> NAME_BYTES =
            NAMES.stream().map(name -> name.getBytes(US_ASCII)).toList();
    private static final int EVENT = 0;
    private static final int TIME_MEMBER = 1;
    private static final int HOST = 2;
    private static final int SOURCE = 3;
    private static final int SOURCETYPE = 4;
    private static final int INDEX = 5;
    private static final int FIELDS = 6;
    /** A JSON number, of a length that no time exceeds. */
    private static final Pattern SECONDS = Pattern.compile("-?(0|[1-9][0-9]{0,18})(\\.[0-9]{1,30})?");

    private final byte[] body;
    private final HecRows rows;
    private final Origin origin;
    private final JsonScanner scanner = new JsonScanner();
    private final JsonComposer row;
    private final TextSink text;

    /** Kinds and bounds of the envelope's members; no kind if there is no such member, or it is null. */
    private final Token[] tokens = new Token[NAMES.size()];

    private final int[] starts = new int[NAMES.size()];
    private final int[] stops = new int[NAMES.size()];

    /**
     * The event at which reading ended.
     *
     * @param number from 0
     */
    record BadEvent(HecStatus status, int number) {}

    HecEvents(byte[] body, HecRows rows, Origin origin) {
        this.body = body;
        this.rows = rows;
        this.origin = origin;
        this.row = new JsonComposer(rows.memory()::grow);
        this.text = new TextSink(rows.memory()::grow);
    }

    /**
     * Takes the events up to the first bad one, as Splunk does.
     *
     * @throws RefusedException if an event is larger than a row can be; none of the request may be taken then
     */
    Optional<BadEvent> read() {
        scanner.reset(body, 0, body.length);
        int number = 0;
        boolean inArray = false;
        try {
            while (true) {
                int c = scanner.peek();
                if (c < 0) {
                    return inArray ? Optional.of(new BadEvent(HecStatus.INVALID_FORMAT, number)) : Optional.empty();
                }
                if (c == '[' && !inArray) {
                    scanner.position(scanner.position() + 1);
                    inArray = scanner.peek() != ']';
                    if (!inArray) {
                        scanner.position(scanner.position() + 1);
                    }
                    continue;
                }
                Optional<HecStatus> bad = readEvent();
                if (bad.isPresent()) {
                    return Optional.of(new BadEvent(bad.get(), number));
                }
                number++;
                if (inArray) {
                    inArray = scanner.peek() != ']';
                    scanner.expect(inArray ? ',' : ']');
                }
            }
        } catch (UndecodableRecordException e) {
            return Optional.of(new BadEvent(HecStatus.INVALID_FORMAT, number));
        }
    }

    private Optional<HecStatus> readEvent() throws UndecodableRecordException {
        readEnvelope();
        Token event = tokens[EVENT];
        if (event == null) {
            return Optional.of(HecStatus.EVENT_REQUIRED);
        }
        if (event == Token.STRING && isBlank(EVENT)) {
            return Optional.of(HecStatus.EVENT_BLANK);
        }
        if (tokens[FIELDS] != null && tokens[FIELDS] != Token.OBJECT) {
            return Optional.of(HecStatus.INVALID_FIELDS);
        }
        String index = tokens[INDEX] == null ? origin.index().orElse("") : string(INDEX);
        row.reset();
        row.open('{');
        writeEvent();
        if (tokens[TIME_MEMBER] != null && !writeTime()) {
            return Optional.of(HecStatus.INVALID_FORMAT);
        }
        write(HOST, origin.host());
        write(SOURCE, origin.source());
        write(SOURCETYPE, origin.sourcetype());
        if (!index.isEmpty() && !rows.isStream(index)) {
            write(INDEX, origin.index());
        }
        if (tokens[FIELDS] != null) {
            writeMembers(FIELDS);
        }
        row.close('}');
        try {
            rows.add(index, row);
            return Optional.empty();
        } catch (RefusedException e) {
            if (e.reason() == Reason.FORBIDDEN) {
                return Optional.of(HecStatus.INCORRECT_INDEX);
            }
            throw e;
        }
    }

    private void readEnvelope() throws UndecodableRecordException {
        Arrays.fill(tokens, null);
        scanner.expect('{');
        if (scanner.peek() == '}') {
            scanner.position(scanner.position() + 1);
            return;
        }
        while (true) {
            scanner.expect('"');
            scanner.string();
            int member = member(scanner.start(), scanner.stop());
            scanner.expect(':');
            Token token = scanner.value();
            if (token == Token.OBJECT || token == Token.ARRAY) {
                scanner.skipContainer(scanner.start(), 1);
            }
            if (member >= 0) {
                tokens[member] = token == Token.NULL ? null : token;
                starts[member] = scanner.start();
                stops[member] = scanner.stop();
            }
            if (scanner.peek() == '}') {
                scanner.position(scanner.position() + 1);
                return;
            }
            scanner.expect(',');
        }
    }

    private int member(int from, int to) {
        for (int i = 0; i < NAME_BYTES.size(); i++) {
            byte[] name = NAME_BYTES.get(i);
            if (Arrays.equals(body, from, to, name, 0, name.length)) {
                return i;
            }
        }
        return -1;
    }

    private boolean isBlank(int member) {
        for (int i = starts[member]; i < stops[member]; i++) {
            if (body[i] != ' ' && body[i] != '\t') {
                return false;
            }
        }
        return true;
    }

    /** The text of a member, as JSON if it is no string. */
    private String string(int member) {
        if (tokens[member] != Token.STRING) {
            return new String(body, starts[member], stops[member] - starts[member], UTF_8);
        }
        text.reset();
        JsonText.unescape(body, starts[member], stops[member], text);
        return new String(text.array(), 0, text.length(), UTF_8);
    }

    private void writeEvent() {
        if (tokens[EVENT] == Token.OBJECT) {
            writeMembers(EVENT);
            return;
        }
        row.name(MESSAGE, 0, MESSAGE.length);
        if (tokens[EVENT] == Token.STRING) {
            row.escapedString(body, starts[EVENT], stops[EVENT]);
        } else {
            row.string(body, starts[EVENT], stops[EVENT]);
        }
    }

    private void writeMembers(int object) {
        int from = starts[object] + 1;
        int to = stops[object] - 1;
        while (from < to && isSpace(body[from])) {
            from++;
        }
        if (from < to) {
            row.token(body, from, to);
        }
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\n' || b == '\r' || b == '\t';
    }

    private boolean writeTime() {
        switch (tokens[TIME_MEMBER]) {
            case INTEGER, BIG_INTEGER, FRACTION -> {}
            case STRING -> {
                if (!SECONDS.matcher(string(TIME_MEMBER)).matches()) {
                    return false;
                }
            }
            default -> {
                return false;
            }
        }
        byte[] seconds = string(TIME_MEMBER).getBytes(US_ASCII);
        row.name(TIME, 0, TIME.length);
        row.token(seconds, 0, seconds.length);
        return true;
    }

    /** Writes a member of the envelope, or what the request says of all events. */
    private void write(int member, Optional<String> otherwise) {
        byte[] name = NAME_BYTES.get(member);
        if (tokens[member] == Token.STRING) {
            row.name(name, 0, name.length);
            row.escapedString(body, starts[member], stops[member]);
        } else if (tokens[member] != null) {
            row.name(name, 0, name.length);
            row.token(body, starts[member], stops[member]);
        } else if (otherwise.isPresent()) {
            row.name(name, 0, name.length);
            row.string(otherwise.get());
        }
    }
}
