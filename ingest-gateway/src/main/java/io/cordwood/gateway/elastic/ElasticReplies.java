package io.cordwood.gateway.elastic;

import com.fasterxml.jackson.core.JsonGenerator;
import io.cordwood.gateway.door.JsonReply;
import io.cordwood.http.Reply;
import java.io.IOException;

/** Answers as Elasticsearch's clients know them. Stateless. */
final class ElasticReplies {
    private ElasticReplies() {}

    /** An answer, with the header by which clients know that they talk to the right product. */
    static Reply of(int status, JsonReply.Writer body) {
        return named(JsonReply.of(status, body));
    }

    /** An answer that is one object. */
    static Reply object(int status, JsonReply.Writer members) {
        return named(JsonReply.object(status, members));
    }

    private static Reply named(Reply reply) {
        return reply.with("X-Elastic-Product", "Elasticsearch");
    }

    static Reply acknowledged() {
        return object(200, json -> json.writeBooleanField("acknowledged", true));
    }

    static Reply error(ItemError error) {
        return object(error.status(), json -> {
            json.writeObjectFieldStart("error");
            json.writeArrayFieldStart("root_cause");
            json.writeStartObject();
            writeMembers(json, error);
            json.writeEndObject();
            json.writeEndArray();
            writeMembers(json, error);
            json.writeEndObject();
            json.writeNumberField("status", error.status());
        });
    }

    private static void writeMembers(JsonGenerator json, ItemError error) throws IOException {
        json.writeStringField("type", error.type());
        json.writeStringField("reason", error.reason());
    }
}
