package io.cordwood.search.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.cordwood.http.Reply;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/** Errors as JSON: {@code {"error":{"code":..,"message":..,"position":..,"sql":..}}}. Stateless. */
public final class ErrorBody {
    private static final JsonFactory JSON = new JsonFactory();

    private ErrorBody() {}

    /** The error as a response. */
    public static Reply reply(ApiException error) {
        return withHeaders(Reply.json(error.status(), of(error)), error);
    }

    /** The error as a response of plain text: its message alone. */
    public static Reply plain(ApiException error) {
        return withHeaders(Reply.plain(error.status(), error.getMessage()), error);
    }

    private static Reply withHeaders(Reply body, ApiException error) {
        Reply reply = body.with("Cache-Control", "no-store").with("X-Content-Type-Options", "nosniff");
        if (error.status() == 401) {
            reply = reply.with("WWW-Authenticate", "Bearer realm=\"cordwood\"");
        }
        if (error.status() == 429 || error.status() == 503) {
            reply = reply.with("Retry-After", "1");
        }
        return reply;
    }

    public static byte[] of(ApiException error) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(body)) {
            write(json, error);
        } catch (IOException e) {
            throw new IllegalStateException("An error cannot be written to memory", e);
        }
        return body.toByteArray();
    }

    public static void write(JsonGenerator json, ApiException error) throws IOException {
        json.writeStartObject();
        json.writeObjectFieldStart("error");
        json.writeStringField("code", error.code());
        json.writeStringField("message", error.getMessage());
        if (error.position().isPresent()) {
            json.writeNumberField("position", error.position().getAsInt());
        }
        if (error.sql().isPresent()) {
            json.writeStringField("sql", error.sql().get());
        }
        json.writeEndObject();
        json.writeEndObject();
    }
}
