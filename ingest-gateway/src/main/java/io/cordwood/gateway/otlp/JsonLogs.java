package io.cordwood.gateway.otlp;

import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.send.Memory;
import io.cordwood.gateway.send.Payload;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.json.JsonObjectReader;
import io.cordwood.record.json.JsonScanner;
import io.cordwood.record.json.JsonScanner.Token;
import io.cordwood.record.json.JsonText;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reads requests in JSON: checks them, counts and cuts them, and copies what it can as it is. Not thread-safe. */
final class JsonLogs {
    private static final String RESOURCE_LOGS = "resourceLogs";
    private static final String SCOPE_LOGS = "scopeLogs";
    private static final String LOG_RECORDS = "logRecords";

    private final byte[] body;
    private final JsonScanner scanner = new JsonScanner();
    private final JsonCheck check = new JsonCheck(scanner);
    private final RequestParts parts;
    private long number;

    private JsonLogs(byte[] body, Memory memory) {
        this.body = body;
        this.parts = new RequestParts(body.length, memory);
    }

    /**
     * Reads a request. A log record that is none costs only itself.
     *
     * @param memory counts what the request needs beside its body
     * @throws RefusedException if the request is not JSON, or malformed outside of its log records, or the gateway
     *     holds too much
     */
    static LogsRequest read(byte[] body, Memory memory) {
        JsonLogs logs = new JsonLogs(body, memory);
        boolean isReadable;
        try {
            isReadable = logs.request();
        } catch (UndecodableRecordException e) {
            throw RefusedException.malformed("The request is malformed: " + e.getMessage());
        }
        return logs.parts.finish(body, isReadable, Payload.Format.OTLP_JSON, logs::compose);
    }

    /** Reads all; returns whether the ingest job knows it for a request, which it does by the first member. */
    private boolean request() throws UndecodableRecordException {
        scanner.reset(body, JsonText.start(body), body.length);
        scanner.expect('{');
        scanner.skipContainer(scanner.position() - 1, 1);
        int open = scanner.start();
        scanner.expectEnd();
        JsonObjectReader members = new JsonObjectReader(scanner, open);
        boolean isFirst = true;
        boolean isReadable = false;
        while (members.next()) {
            if (members.isNamed(RESOURCE_LOGS) && members.token() != Token.NULL) {
                isReadable |= isFirst;
                JsonObjectReader elements = check.array(members);
                while (elements.next()) {
                    resourceLogs(JsonCheck.object(elements));
                }
            }
            isFirst = false;
        }
        return isReadable;
    }

    private void resourceLogs(int open) throws UndecodableRecordException {
        parts.startResource(head(open, "resource", SCOPE_LOGS));
        JsonObjectReader members = new JsonObjectReader(scanner, open);
        while (members.next()) {
            if (members.isNamed(SCOPE_LOGS) && members.token() != Token.NULL) {
                JsonObjectReader elements = check.array(members);
                while (elements.next()) {
                    scopeLogs(JsonCheck.object(elements));
                }
            }
        }
    }

    private void scopeLogs(int open) throws UndecodableRecordException {
        parts.startScope(head(open, "scope", LOG_RECORDS));
        JsonObjectReader members = new JsonObjectReader(scanner, open);
        while (members.next()) {
            if (members.isNamed(LOG_RECORDS) && members.token() != Token.NULL) {
                JsonObjectReader elements = check.array(members);
                while (elements.next()) {
                    logRecord(elements);
                }
            }
        }
    }

    private void logRecord(JsonObjectReader element) {
        number++;
        try {
            check.logRecord(element);
        } catch (UndecodableRecordException e) {
            parts.reject(number, e.getMessage());
            return;
        }
        parts.add(number, element.start(), element.stop());
    }

    /** Every member of an object but one. They may follow that one. */
    private Ranges head(int open, String source, String without) throws UndecodableRecordException {
        Ranges head = new Ranges();
        JsonObjectReader members = new JsonObjectReader(scanner, open);
        int end = open + 1;
        while (members.next()) {
            if (members.isNamed(source) && members.token() != Token.NULL) {
                check.source(members);
            } else if (members.isNamed("schemaUrl")) {
                check.string(members);
            }
            if (!members.isNamed(without)) {
                int begin = end;
                while (body[begin] != '"') {
                    begin++;
                }
                parts.addTo(head, begin, members.position());
            }
            end = members.position();
        }
        return head;
    }

    private byte[] compose(RequestPart part) {
        Text out = new Text(Math.toIntExact(part.bytes()));
        out.add("{\"" + RESOURCE_LOGS + "\":[");
        String separator = "";
        for (RequestPart.ResourceGroup resource : part.resources()) {
            out.add(separator + "{");
            out.each(resource.head(), true);
            out.add("\"" + SCOPE_LOGS + "\":[");
            scopes(resource.scopes(), out);
            out.add("]}");
            separator = ",";
        }
        out.add("]}");
        return out.toByteArray();
    }

    private static void scopes(List<RequestPart.ScopeGroup> scopes, Text out) {
        String separator = "";
        for (RequestPart.ScopeGroup scope : scopes) {
            out.add(separator + "{");
            out.each(scope.head(), true);
            out.add("\"" + LOG_RECORDS + "\":[");
            out.each(scope.records(), false);
            out.add("]}");
            separator = ",";
        }
    }

    /** JSON that consists mostly of parts of the request. */
    private final class Text {
        private final ByteArrayOutputStream out;

        Text(int expected) {
            out = new ByteArrayOutputStream(expected);
        }

        void add(String text) {
            out.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
        }

        /** Adds parts with a comma between them, and one behind them if more will follow. */
        void each(Ranges ranges, boolean isMoreToFollow) {
            boolean[] isFirst = {true};
            ranges.forEach((from, to) -> {
                if (!isFirst[0]) {
                    out.write(',');
                }
                isFirst[0] = false;
                out.write(body, from, to - from);
            });
            if (isMoreToFollow && ranges.count() > 0) {
                out.write(',');
            }
        }

        byte[] toByteArray() {
            return out.toByteArray();
        }
    }
}
