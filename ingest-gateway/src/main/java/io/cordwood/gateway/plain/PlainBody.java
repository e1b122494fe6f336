package io.cordwood.gateway.plain;

import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import io.cordwood.gateway.refusal.RowTooLargeException;
import io.cordwood.gateway.row.JsonObjects;
import io.cordwood.gateway.row.RejectedRows;
import io.cordwood.gateway.send.LineBatches;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.json.JsonComposer;
import io.cordwood.record.json.JsonText;
import io.cordwood.record.json.Lines;

/** Takes rows out of a body: JSON objects, one a line or in an array, or lines of text. Not thread-safe. */
final class PlainBody {
    private final byte[] body;
    /** Where the rows begin: after the byte order mark, if there is one. */
    private final int from;

    private final LineBatches rows;
    private final RejectedRows rejected;
    private final JsonObjects objects = new JsonObjects();
    private final JsonComposer composer;

    PlainBody(byte[] body, LineBatches rows, RejectedRows rejected) {
        this.body = body;
        this.from = JsonText.start(body);
        this.rows = rows;
        this.rejected = rejected;
        this.composer = new JsonComposer(rows.memory()::grow);
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
        for (int i = from; i < body.length; i++) {
            if (body[i] != ' ' && body[i] != '\n' && body[i] != '\r' && body[i] != '\t') {
                return body[i];
            }
        }
        return -1;
    }

    /** One object, which may have several lines; or objects, one a line, that call themselves JSON. */
    private void readJson() {
        try {
            objects.requireObject(body, from, body.length);
            JsonObjects.addOnOneLine(rows, body, from, body.length);
        } catch (UndecodableRecordException e) {
            readLines(this::addObject);
        }
    }

    private void readArray() {
        try {
            objects.forEach(body, from, body.length, (number, data, start, stop, isObject) -> {
                if (!isObject) {
                    rejected.add(number, "It is no JSON object");
                    return;
                }
                try {
                    JsonObjects.addOnOneLine(rows, data, start, stop);
                } catch (RowTooLargeException e) {
                    rejected.add(number, e.getMessage());
                }
            });
        } catch (UndecodableRecordException e) {
            throw RefusedException.malformed("The array is malformed: " + e.getMessage());
        }
    }

    @FunctionalInterface
    private interface Line {
        void add(int start, int stop) throws UndecodableRecordException;
    }

    private void readLines(Line line) {
        int number = 0;
        for (int start = from; start < body.length; ) {
            int end = Lines.end(body, start, body.length);
            int next = end + 1;
            number++;
            if (end > start && body[end - 1] == '\r') {
                end--;
            }
            if (!Lines.isBlank(body, start, end)) {
                try {
                    line.add(start, end);
                } catch (UndecodableRecordException | RowTooLargeException e) {
                    rejected.add(number, e.getMessage());
                }
            }
            start = next;
        }
    }

    private void addObject(int start, int stop) throws UndecodableRecordException {
        objects.requireObject(body, start, stop);
        rows.add(body, start, stop);
    }

    private void addText(int start, int stop) {
        LineBatches.requireFits(stop - start);
        composer.reset();
        composer.open('{');
        composer.name("message");
        composer.string(body, start, stop);
        composer.close('}');
        rows.add(composer.array(), 0, composer.length());
    }
}
