package io.cordwood.gateway.otlp;

import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.send.Memory;
import io.cordwood.gateway.send.Payload;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.decode.ProtobufReader;

/** Reads requests in protobuf: checks them, counts and cuts them, and copies what it can as it is. Not thread-safe. */
final class ProtobufLogs {
    private static final int RESOURCE_LOGS = 1;
    private static final int SCOPE_LOGS = 2;
    private static final int LOG_RECORDS = 2;
    /** The resource of a resource, the scope of a scope. */
    private static final int SOURCE = 1;

    private static final int SCHEMA_URL = 3;

    private final byte[] body;
    private final RequestParts parts;
    private final ProtobufCheck check;
    private long number;

    private ProtobufLogs(byte[] body, Memory memory) {
        this.body = body;
        this.parts = new RequestParts(body.length, memory);
        this.check = new ProtobufCheck(body);
    }

    /**
     * Reads a request. A log record that is malformed costs only itself.
     *
     * @param memory counts what the request needs beside its body
     * @throws RefusedException if the request is malformed outside of its log records, or the gateway holds too
     *     much
     */
    static LogsRequest read(byte[] body, Memory memory) {
        ProtobufLogs logs = new ProtobufLogs(body, memory);
        try {
            ProtobufReader request = new ProtobufReader(body, 0, body.length);
            while (request.next()) {
                if (request.field() == RESOURCE_LOGS) {
                    logs.resourceLogs(request.start(), request.stop());
                }
            }
        } catch (UndecodableRecordException e) {
            throw RefusedException.malformed("The request is malformed: " + e.getMessage());
        }
        return logs.parts.finish(body, true, Payload.Format.OTLP_PROTOBUF, part -> compose(body, part));
    }

    private void resourceLogs(int from, int to) throws UndecodableRecordException {
        parts.startResource(head(from, to, true));
        ProtobufReader scopes = new ProtobufReader(body, from, to);
        while (scopes.next()) {
            if (scopes.field() == SCOPE_LOGS) {
                scopeLogs(scopes.start(), scopes.stop());
            }
        }
    }

    private void scopeLogs(int from, int to) throws UndecodableRecordException {
        parts.startScope(head(from, to, false));
        ProtobufReader records = new ProtobufReader(body, from, to);
        int begin = from;
        while (records.next()) {
            if (records.field() == LOG_RECORDS) {
                logRecord(records, begin);
            }
            begin = records.position();
        }
    }

    private void logRecord(ProtobufReader field, int begin) throws UndecodableRecordException {
        number++;
        int from = field.start();
        try {
            check.logRecord(from, field.stop());
        } catch (UndecodableRecordException e) {
            parts.reject(number, e.getMessage());
            return;
        }
        parts.add(number, begin, field.stop());
    }

    /** Everything of a message but what belongs to it. It may follow that. */
    private Ranges head(int from, int to, boolean isResource) throws UndecodableRecordException {
        Ranges head = new Ranges();
        ProtobufReader fields = new ProtobufReader(body, from, to);
        int begin = from;
        while (fields.next()) {
            if (fields.field() == SOURCE) {
                check.source(fields.message(), isResource);
            } else if (fields.field() == SCHEMA_URL) {
                fields.start();
            }
            if (fields.field() != (isResource ? SCOPE_LOGS : LOG_RECORDS)) {
                parts.addTo(head, begin, fields.position());
            }
            begin = fields.position();
        }
        return head;
    }

    private static byte[] compose(byte[] body, RequestPart part) {
        ProtobufWriter out = new ProtobufWriter(Math.toIntExact(part.bytes()));
        for (RequestPart.ResourceGroup resource : part.resources()) {
            long length = resource.head().bytes();
            for (RequestPart.ScopeGroup scope : resource.scopes()) {
                length += ProtobufWriter.fieldSize(size(scope));
            }
            out.start(RESOURCE_LOGS, length);
            resource.head().forEach((from, to) -> out.raw(body, from, to));
            for (RequestPart.ScopeGroup scope : resource.scopes()) {
                out.start(SCOPE_LOGS, size(scope));
                scope.head().forEach((from, to) -> out.raw(body, from, to));
                scope.records().forEach((from, to) -> out.raw(body, from, to));
            }
        }
        return out.toByteArray();
    }

    private static long size(RequestPart.ScopeGroup scope) {
        return scope.head().bytes() + scope.records().bytes();
    }
}
