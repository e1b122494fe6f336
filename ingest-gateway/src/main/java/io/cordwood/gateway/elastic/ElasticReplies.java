package io.cordwood.gateway.elastic;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.cordwood.http.Reply;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/** Answers as Elasticsearch's clients know them. Stateless. */
final class ElasticReplies {
    private static final JsonFactory JSON = new JsonFactory();

    private ElasticReplies() {}

    /** Writes a body. */
    @FunctionalInterface
    interface Body {
        void write(JsonGenerator json) throws IOException;
    }

    /** An answer, with the header by which clients know that they talk to the right product. */
    static Reply of(int status, Body body) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            body.write(json);
        } catch (IOException e) {
            throw new IllegalStateException("An answer cannot be written to memory", e);
        }
        return Reply.json(status, bytes.toByteArray()).with("X-Elastic-Product", "Elasticsearch");
    }

    static Reply acknowledged() {
        return of(200, json -> {
            json.writeStartObject();
            json.writeBooleanField("acknowledged", true);
            json.writeEndObject();
        });
    }

    static Reply error(ItemError error) {
        return of(error.status(), json -> {
            json.writeStartObject();
            json.writeObjectFieldStart("error");
            json.writeArrayFieldStart("root_cause");
            json.writeStartObject();
            writeMembers(json, error);
            json.writeEndObject();
            json.writeEndArray();
            writeMembers(json, error);
            json.writeEndObject();
            json.writeNumberField("status", error.status());
            json.writeEndObject();
        });
    }

    private static void writeMembers(JsonGenerator json, ItemError error) throws IOException {
        json.writeStringField("type", error.type());
        json.writeStringField("reason", error.reason());
    }
}
