package io.cordwood.catalog.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Reads and writes members of JSON objects. Stateless, thread-safe.
 *
 * <p>Every reading method throws {@link IllegalArgumentException}, with a message for the caller, if the JSON is
 * malformed.
 */
public final class Json {
    public static final ObjectMapper MAPPER = new ObjectMapper();

    private Json() {}

    /** Parses a body, which must be a JSON object. */
    public static JsonNode parse(byte[] body) {
        JsonNode json;
        try {
            json = MAPPER.readTree(body);
        } catch (IOException e) {
            throw new IllegalArgumentException("The body is not JSON: " + e.getMessage(), e);
        }
        if (!json.isObject()) {
            throw new IllegalArgumentException("The body is not a JSON object");
        }
        return json;
    }

    /** The bytes of a body. */
    public static byte[] bytes(JsonNode json) {
        try {
            return MAPPER.writeValueAsBytes(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("Cannot write a JSON tree", e);
        }
    }

    /** An empty JSON object. */
    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /** A required member that is text. */
    public static String text(JsonNode json, String member) {
        JsonNode value = json.path(member);
        if (!value.isTextual()) {
            throw new IllegalArgumentException("Member '%s' is missing or not a string".formatted(member));
        }
        return value.textValue();
    }

    /** A member that must be an integer. */
    public static long number(JsonNode json, String member) {
        JsonNode value = json.path(member);
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            throw new IllegalArgumentException("Member '%s' is missing or not an integer".formatted(member));
        }
        return value.longValue();
    }

    /** A member that is an array of text; empty if it is absent. */
    public static List<String> texts(JsonNode json, String member) {
        JsonNode values = json.path(member);
        if (values.isMissingNode()) {
            return List.of();
        }
        List<String> texts = new ArrayList<>();
        for (JsonNode value : array(values, member)) {
            if (!value.isTextual()) {
                throw new IllegalArgumentException("Member '%s' has an element that is not a string".formatted(member));
            }
            texts.add(value.textValue());
        }
        return texts;
    }

    /** A member that is an integer; empty if it is absent or null. */
    public static Optional<Long> wholeNumber(JsonNode json, String member) {
        JsonNode value = json.path(member);
        if (value.isMissingNode() || value.isNull()) {
            return Optional.empty();
        }
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            throw new IllegalArgumentException("Member '%s' is not a whole number".formatted(member));
        }
        return Optional.of(value.longValue());
    }

    /** Returns the value, which must be an array; {@code member} is its name for messages. */
    public static JsonNode array(JsonNode json, String member) {
        if (!json.isArray()) {
            throw new IllegalArgumentException("Member '%s' is missing or not an array".formatted(member));
        }
        return json;
    }

    /** The name of a constant in JSON. */
    public static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** The constant of a name by {@link #lowerCase}. */
    public static <E extends Enum<E>> E constant(Class<E> type, String name, String member) {
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> lowerCase(constant).equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("Member '%s' is '%s'; it must be one of %s"
                        .formatted(
                                member,
                                name,
                                Arrays.stream(type.getEnumConstants())
                                        .map(Json::lowerCase)
                                        .toList())));
    }
}
