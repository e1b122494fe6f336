package io.cordwood.search.mcp;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The arguments of a tool as JSON Schema. Immutable. */
final class InputSchema {
    private static final String TYPE = "type";
    private static final String DESCRIPTION = "description";

    private final Map<String, Object> properties;
    private final List<String> required;

    private InputSchema(Map<String, Object> properties, List<String> required) {
        this.properties = properties;
        this.required = List.copyOf(required);
    }

    /** No arguments. */
    static InputSchema none() {
        return new InputSchema(Map.of(), List.of());
    }

    private InputSchema with(String name, Map<String, Object> property) {
        Map<String, Object> more = new LinkedHashMap<>(properties);
        more.put(name, property);
        return new InputSchema(more, required);
    }

    /** These arguments, of which one that is there already is needed. */
    InputSchema require(String name) {
        List<String> more = new ArrayList<>(required);
        more.add(name);
        return new InputSchema(properties, more);
    }

    InputSchema text(String name, String description) {
        return with(name, Map.of(TYPE, "string", DESCRIPTION, description));
    }

    InputSchema choice(String name, List<String> values, String description) {
        return with(name, Map.of(TYPE, "string", "enum", values, DESCRIPTION, description));
    }

    InputSchema texts(String name, String description) {
        return with(name, Map.of(TYPE, "array", "items", Map.of(TYPE, "string"), DESCRIPTION, description));
    }

    InputSchema integer(String name, int least, int most, int initial, String description) {
        return with(
                name,
                Map.of(
                        TYPE,
                        "integer",
                        "minimum",
                        least,
                        "maximum",
                        most,
                        "default",
                        initial,
                        DESCRIPTION,
                        description));
    }

    Map<String, Object> toMap() {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put(TYPE, "object");
        schema.put("properties", properties);
        schema.put("required", required);
        schema.put("additionalProperties", false);
        return schema;
    }
}
