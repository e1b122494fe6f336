package io.cordwood.search.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.util.Fields;

/**
 * The fields of a request: of its JSON body, or of its query string. A field of another type, and one that nothing asks
 * for, is an error.
 */
public final class RequestFields {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private final ObjectNode body;
    private final Set<String> known = new HashSet<>();

    private RequestFields(ObjectNode body) {
        this.body = body;
    }

    /** Reads a JSON object; an empty body has no fields. @throws ApiException if the body is something else */
    public static RequestFields parse(byte[] body) {
        if (body.length == 0) {
            return new RequestFields(JSON.createObjectNode());
        }
        try {
            JsonNode node = JSON.readTree(body);
            if (node instanceof ObjectNode object) {
                return new RequestFields(object);
            }
            throw ApiException.invalid("The body must be a JSON object");
        } catch (JsonProcessingException e) {
            throw ApiException.invalid("The body is not JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new IllegalStateException("An array of bytes cannot be read", e);
        }
    }

    /** The parameters of a query string, which are texts. */
    public static RequestFields ofParameters(Fields parameters) {
        ObjectNode fields = JSON.createObjectNode();
        for (Fields.Field parameter : parameters) {
            fields.put(parameter.getName(), parameter.getValue());
        }
        return new RequestFields(fields);
    }

    /** Fields with these values, which are of JSON's types. */
    public static RequestFields of(Map<String, ?> values) {
        return new RequestFields(JSON.valueToTree(values));
    }

    /** The fields that nothing has asked for yet. */
    public RequestFields rest() {
        ObjectNode rest = JSON.createObjectNode();
        body.properties().stream()
                .filter(field -> !known.contains(field.getKey()))
                .forEach(field -> rest.set(field.getKey(), field.getValue()));
        return new RequestFields(rest);
    }

    /** Whether there is a field, without asking for it. */
    public boolean has(String name) {
        return body.hasNonNull(name);
    }

    /** These fields and one more, or with another value. */
    public RequestFields with(String name, int value) {
        return new RequestFields(body.deepCopy().put(name, value));
    }

    private Optional<JsonNode> field(String name) {
        known.add(name);
        return Optional.ofNullable(body.get(name)).filter(value -> !value.isNull());
    }

    /** A text. */
    public Optional<String> text(String name) {
        return field(name).map(value -> {
            if (!value.isTextual()) {
                throw ApiException.invalid("'%s' must be a string".formatted(name));
            }
            return value.textValue();
        });
    }

    /** A text, or a number as text. */
    public Optional<String> textOrNumber(String name) {
        return field(name).map(value -> {
            if (!value.isTextual() && !value.isIntegralNumber()) {
                throw ApiException.invalid("'%s' must be a string or a whole number".formatted(name));
            }
            return value.asText();
        });
    }

    /** A whole number within bounds. */
    public Optional<Integer> integer(String name, int least, int most) {
        return field(name).map(value -> {
            if (!value.isIntegralNumber()
                    || !value.canConvertToInt()
                    || value.intValue() < least
                    || value.intValue() > most) {
                throw ApiException.invalid("'%s' must be a whole number from %d to %d".formatted(name, least, most));
            }
            return value.intValue();
        });
    }

    /** A whole number, without asking for it; empty if there is none. */
    public Optional<Integer> number(String name) {
        return Optional.ofNullable(body.get(name))
                .filter(JsonNode::canConvertToInt)
                .map(JsonNode::intValue);
    }

    /** Texts. */
    public Optional<List<String>> texts(String name) {
        return field(name).map(value -> {
            List<String> texts = new ArrayList<>();
            for (JsonNode item : value) {
                if (!item.isTextual()) {
                    throw ApiException.invalid("'%s' must be an array of strings".formatted(name));
                }
                texts.add(item.textValue());
            }
            if (!value.isArray()) {
                throw ApiException.invalid("'%s' must be an array of strings".formatted(name));
            }
            return List.copyOf(texts);
        });
    }

    /** Refuses other fields. @throws ApiException if there is a field that was not asked for */
    public void requireNoOthers() {
        body.fieldNames().forEachRemaining(name -> {
            if (!known.contains(name)) {
                throw ApiException.invalid("There is no field '%s'; fields are: %s"
                        .formatted(
                                name, String.join(", ", known.stream().sorted().toList())));
            }
        });
    }
}
