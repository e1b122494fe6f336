package io.cordwood.catalog.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.cordwood.catalog.json.Json;
import io.cordwood.http.Reply;

/** Responses of JSON trees. Stateless. */
public final class JsonReply {
    private JsonReply() {}

    public static Reply of(JsonNode json) {
        return Reply.json(Json.bytes(json));
    }

    /** A tree with a status of its own. */
    public static Reply of(int status, JsonNode json) {
        return Reply.json(status, Json.bytes(json));
    }
}
