package io.cordwood.search.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;

/** The body of a response. Its status and type are sent with its first bytes. Not thread-safe. */
public interface Output {
    JsonFactory JSON = new JsonFactory();

    /** Begins a body of this content type. */
    OutputStream begin(String contentType);

    /**
     * Begins a JSON object or lines of them. To close it does not end the body: a failure must not look like an end.
     */
    default JsonGenerator json(String contentType) throws IOException {
        return JSON.createGenerator(begin(contentType))
                .setRootValueSeparator(null)
                .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
                .disable(JsonGenerator.Feature.AUTO_CLOSE_JSON_CONTENT);
    }
}
