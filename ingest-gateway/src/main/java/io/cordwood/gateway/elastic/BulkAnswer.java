package io.cordwood.gateway.elastic;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.SerializedString;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Writes what became of actions, as much of it as the client wants. Not thread-safe. */
final class BulkAnswer {
    private static final SerializableString INDEX = new SerializedString("_index");
    private static final SerializableString ID = new SerializedString("_id");
    private static final SerializableString VERSION = new SerializedString("_version");
    private static final SerializableString RESULT = new SerializedString("result");
    private static final SerializableString CREATED = new SerializedString("created");
    private static final SerializableString SHARDS = new SerializedString("_shards");
    private static final SerializableString NUMBER = new SerializedString("_seq_no");
    private static final SerializableString TERM = new SerializedString("_primary_term");
    private static final SerializableString STATUS = new SerializedString("status");
    private static final SerializableString ERROR = new SerializedString("error");
    private static final int CREATED_STATUS = 201;

    private final JsonGenerator json;
    private final FilterPath filter;
    private final GeneratedIds ids = new GeneratedIds();
    private final Map<String, Wanted> wanted = new TreeMap<>();

    /** The members of an item that the client wants. */
    private record Wanted(
            boolean index,
            boolean id,
            boolean version,
            boolean result,
            boolean shardsTotal,
            boolean shardsSuccessful,
            boolean shardsFailed,
            boolean number,
            boolean term,
            boolean status,
            boolean errorType,
            boolean errorReason) {
        static Wanted of(FilterPath filter, String... parent) {
            return new Wanted(
                    wants(filter, parent, "_index"),
                    wants(filter, parent, "_id"),
                    wants(filter, parent, "_version"),
                    wants(filter, parent, "result"),
                    wants(filter, parent, "_shards", "total"),
                    wants(filter, parent, "_shards", "successful"),
                    wants(filter, parent, "_shards", "failed"),
                    wants(filter, parent, "_seq_no"),
                    wants(filter, parent, "_primary_term"),
                    wants(filter, parent, "status"),
                    wants(filter, parent, "error", "type"),
                    wants(filter, parent, "error", "reason"));
        }

        private static boolean wants(FilterPath filter, String[] parent, String... names) {
            String[] path = Arrays.copyOf(parent, parent.length + names.length);
            System.arraycopy(names, 0, path, parent.length, names.length);
            return filter.wants(path);
        }

        boolean shards() {
            return shardsTotal || shardsSuccessful || shardsFailed;
        }

        boolean error() {
            return errorType || errorReason;
        }

        boolean any(boolean failed) {
            return index || id || status || (failed ? error() : version || result || shards() || number || term);
        }
    }

    BulkAnswer(JsonGenerator json, FilterPath filter) {
        this.json = json;
        this.filter = filter;
    }

    /** Writes the answer to a bulk request. */
    void write(List<BulkItem> items, long tookMillis) throws IOException {
        json.writeStartObject();
        if (filter.wants("errors")) {
            json.writeBooleanField(
                    "errors", items.stream().anyMatch(item -> item.error().isPresent()));
        }
        if (filter.wants("took")) {
            json.writeNumberField("took", tookMillis);
        }
        boolean isOpen = false;
        for (int i = 0; i < items.size(); i++) {
            BulkItem item = items.get(i);
            Wanted members = wanted.computeIfAbsent(item.action(), action -> Wanted.of(filter, "items", action));
            if (!members.any(item.error().isPresent())) {
                continue;
            }
            if (!isOpen) {
                json.writeArrayFieldStart("items");
                isOpen = true;
            }
            json.writeStartObject();
            json.writeObjectFieldStart(item.action());
            writeMembers(item, i, members);
            if (members.status()) {
                json.writeFieldName(STATUS);
                json.writeNumber(item.error().map(ItemError::status).orElse(CREATED_STATUS));
            }
            json.writeEndObject();
            json.writeEndObject();
        }
        if (isOpen) {
            json.writeEndArray();
        }
        json.writeEndObject();
    }

    /** Writes the answer to a request with one document, which was taken. */
    void writeOne(BulkItem item) throws IOException {
        json.writeStartObject();
        writeMembers(item, 0, Wanted.of(filter));
        json.writeEndObject();
    }

    private void writeMembers(BulkItem item, int number, Wanted members) throws IOException {
        if (members.index()) {
            json.writeFieldName(INDEX);
            json.writeString(item.index());
        }
        if (members.id()) {
            json.writeFieldName(ID);
            json.writeString(item.id().orElseGet(() -> ids.of(number)));
        }
        if (item.error().isPresent()) {
            if (members.error()) {
                writeError(item.error().get(), members);
            }
            return;
        }
        if (members.version()) {
            json.writeFieldName(VERSION);
            json.writeNumber(1);
        }
        if (members.result()) {
            json.writeFieldName(RESULT);
            json.writeString(CREATED);
        }
        if (members.shards()) {
            json.writeFieldName(SHARDS);
            json.writeStartObject();
            writeIf(members.shardsTotal(), "total", 1);
            writeIf(members.shardsSuccessful(), "successful", 1);
            writeIf(members.shardsFailed(), "failed", 0);
            json.writeEndObject();
        }
        if (members.number()) {
            json.writeFieldName(NUMBER);
            json.writeNumber(number);
        }
        if (members.term()) {
            json.writeFieldName(TERM);
            json.writeNumber(1);
        }
    }

    private void writeIf(boolean isWanted, String name, int value) throws IOException {
        if (isWanted) {
            json.writeNumberField(name, value);
        }
    }

    private void writeError(ItemError error, Wanted members) throws IOException {
        json.writeFieldName(ERROR);
        json.writeStartObject();
        if (members.errorType()) {
            json.writeStringField("type", error.type());
        }
        if (members.errorReason()) {
            json.writeStringField("reason", error.reason());
        }
        json.writeEndObject();
    }
}
