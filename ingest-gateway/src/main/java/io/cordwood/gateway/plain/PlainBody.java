package io.cordwood.gateway.plain;

import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import io.cordwood.gateway.row.JsonObjects;
import io.cordwood.gateway.row.RejectedRows;
import io.cordwood.gateway.send.LineBatches;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.json.JsonComposer;
import io.cordwood.record.json.Lines;

/** Takes rows out of a body: JSON objects, one a line or in an array, or lines of text. Not thread-safe. */
final class PlainBody {
    private final byte[] body;
    private final LineBatches rows;
    private final RejectedRows rejected;
    private final JsonObjects objects = new JsonObjects();
    private final JsonComposer composer = new JsonComposer();

    PlainBody(byte[] body, LineBatches rows, RejectedRows rejected) {
        this.body = body;
        this.rows = rows;
        this.rejected = rejected;
    }

    /** Takes the rows as the media type says; as they look where it says nothing. */
    void read(String mediaType) {
        switch (mediaType) {
            case "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines" ->
                readLines(this::addObject);
            case "text/plain", "text/plain-text" -> readLines(this::addText);
            case "application/json" -> {
                if (first() == '[') {
                    readArray();
                } else {
                    readJson();
                }
            }
            // What curl says of any file
            case "", "application/x-www-form-urlencoded", "application/octet-stream" -> readAsItLooks();
            default ->
                throw new RefusedException(
                        Reason.UNSUPPORTED,
                        "Content-Type '%s' is not known: use application/x-ndjson, application/json or text/plain"
                                .formatted(mediaType));
        }
    }

    private void readAsItLooks() {
        switch (first()) {
            case '[' -> readArray();
            case '{' -> readLines(this::addObject);
            default -> readLines(this::addText);
        }
    }

    /** The first byte that is not white space; -1 if there is none. */
    private int first() {
        for (byte each : body) {
            if (each != ' ' && each != '\n' && each != '\r' && each != '\t') {
                return each;
            }
        }
        return -1;
    }

    /** One object, which may have several lines; or objects, one a line, that call themselves JSON. */
    private void readJson() {
        try {
            objects.requireObject(body, 0, body.length);
            JsonObjects.addOnOneLine(rows, body, 0, body.length);
        } catch (UndecodableRecordException e) {
            readLines(this::addObject);
        }
    }

    private void readArray() {
        try {
            objects.forEach(body, 0, body.length, (number, data, from, to, isObject) -> {
                if (!isObject) {
                    rejected.add(number, "It is no JSON object");
                    return;
                }
                try {
                    JsonObjects.addOnOneLine(rows, data, from, to);
                } catch (RefusedException e) {
                    rejected.add(number, e.getMessage());
                }
            });
        } catch (UndecodableRecordException e) {
            throw RefusedException.malformed("The array is malformed: " + e.getMessage());
        }
    }

    @FunctionalInterface
    private interface Line {
        void add(int from, int to) throws UndecodableRecordException;
    }

    private void readLines(Line line) {
        int number = 0;
        for (int start = 0; start < body.length; ) {
            int end = Lines.end(body, start, body.length);
            int next = end + 1;
            number++;
            if (end > start && body[end - 1] == '\r') {
                end--;
            }
            if (!Lines.isBlank(body, start, end)) {
                try {
                    line.add(start, end);
                } catch (UndecodableRecordException | RefusedException e) {
                    rejected.add(number, e.getMessage());
                }
            }
            start = next;
        }
    }

    private void addObject(int from, int to) throws UndecodableRecordException {
        objects.requireObject(body, from, to);
        rows.add(body, from, to);
    }

    private void addText(int from, int to) {
        composer.reset();
        composer.open('{');
        composer.name("message");
        composer.string(body, from, to);
        composer.close('}');
        rows.add(composer.array(), 0, composer.length());
    }
}
