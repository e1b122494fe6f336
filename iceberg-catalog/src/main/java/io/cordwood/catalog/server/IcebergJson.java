package io.cordwood.catalog.server;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import io.cordwood.catalog.server.http.Call;
import io.cordwood.http.Reply;
import java.io.IOException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.rest.RESTRequest;
import org.apache.iceberg.rest.RESTResponse;
import org.apache.iceberg.rest.RESTSerializers;

/** The JSON of Iceberg's REST requests and responses. Stateless, thread-safe. */
final class IcebergJson {
    private static final ObjectMapper MAPPER = new ObjectMapper()
            .setVisibility(PropertyAccessor.FIELD, JsonAutoDetect.Visibility.ANY)
            .configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false)
            .setPropertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE);

    static {
        RESTSerializers.registerAll(MAPPER);
    }

    private IcebergJson() {}

    static <T extends RESTRequest> T request(Call call, Class<T> type) {
        T request;
        try {
            request = MAPPER.readValue(call.body(), type);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "The body is not a %s: %s".formatted(type.getSimpleName(), e.getMessage()), e);
        }
        try {
            request.validate();
        } catch (ValidationException | IllegalStateException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        return request;
    }

    static Reply reply(RESTResponse response) {
        try {
            return Reply.json(MAPPER.writeValueAsBytes(response));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(
                    "Cannot write " + response.getClass().getSimpleName(), e);
        }
    }
}
