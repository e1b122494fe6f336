package io.cordwood.gateway.splunk;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.cordwood.gateway.refusal.RefusedException;
import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;

/** Reads which acknowledgements a client asks for. Stateless. */
final class HecAcks {
    private static final int MAX_IDS = 100_000;
    private static final JsonFactory JSON = new JsonFactory();

    private HecAcks() {}

    /**
     * The ids of {@code {"acks":[1,2,3]}}.
     *
     * @throws RefusedException if the body is nothing of this form
     */
    static Set<Long> ids(byte[] body) {
        Set<Long> ids = new TreeSet<>();
        try (JsonParser json = JSON.createParser(body)) {
            require(json.nextToken() == JsonToken.START_OBJECT);
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                boolean isAcks = json.currentName().equals("acks");
                JsonToken value = json.nextToken();
                if (!isAcks) {
                    json.skipChildren();
                    continue;
                }
                require(value == JsonToken.START_ARRAY);
                while (json.nextToken() == JsonToken.VALUE_NUMBER_INT) {
                    ids.add(json.getLongValue());
                    if (ids.size() > MAX_IDS) {
                        throw RefusedException.malformed(
                                "A request may ask for %,d acknowledgements".formatted(MAX_IDS));
                    }
                }
                require(json.currentToken() == JsonToken.END_ARRAY);
            }
            require(json.currentToken() == JsonToken.END_OBJECT);
        } catch (IOException e) {
            throw RefusedException.malformed("The list of acknowledgements is malformed: " + e.getMessage());
        }
        return ids;
    }

    private static void require(boolean isSo) {
        if (!isSo) {
            throw RefusedException.malformed("Ask for acknowledgements with {\"acks\":[ID,...]}");
        }
    }
}
