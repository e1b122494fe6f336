package io.cordwood.gateway.door;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.cordwood.http.Reply;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/** Answers in JSON. Stateless. */
public final class JsonReply {
    private static final JsonFactory JSON = new JsonFactory();

    private JsonReply() {}

    /** Writes JSON. */
    @FunctionalInterface
    public interface Writer {
        /** Writes to memory. */
        void write(JsonGenerator json) throws IOException;
    }

    /**
     * An answer that is one object.
     *
     * @param members writes what is in it
     */
    public static Reply object(int status, Writer members) {
        return of(status, json -> {
            json.writeStartObject();
            members.write(json);
            json.writeEndObject();
        });
    }

    /**
     * An answer.
     *
     * @param body writes one value
     */
    public static Reply of(int status, Writer body) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            body.write(json);
        } catch (IOException e) {
            throw new IllegalStateException("An answer cannot be written to memory", e);
        }
        return Reply.json(status, bytes.toByteArray());
    }
}
