package io.cordwood.search.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.cordwood.search.http.RequestFields;

/** Cuts long values of rows, so that one of them does not fill a result. Not thread-safe. */
final class CutValues {
    private static final String MAX_VALUE_CHARS = "max_value_chars";
    private static final int LEAST_CHARS = 100;
    private static final int MOST_CHARS = 150_000;
    private static final int DEFAULT_CHARS = 1_000;

    private final int maxChars;
    private boolean hasCut;

    private CutValues(int maxChars) {
        this.maxChars = maxChars;
    }

    static CutValues of(RequestFields arguments) {
        return new CutValues(
                arguments.integer(MAX_VALUE_CHARS, LEAST_CHARS, MOST_CHARS).orElse(DEFAULT_CHARS));
    }

    static InputSchema describe(InputSchema schema) {
        return schema.integer(
                MAX_VALUE_CHARS,
                LEAST_CHARS,
                MOST_CHARS,
                DEFAULT_CHARS,
                "Longest value of a column in characters. Longer ones end in …[+N characters].");
    }

    /** Cuts the values of an object, and of objects in it, in place. */
    void cut(ObjectNode row) {
        for (var property : row.properties()) {
            JsonNode value = property.getValue();
            if (value instanceof ObjectNode object) {
                cut(object);
            } else if (value.isTextual() && value.textValue().length() > maxChars) {
                property.setValue(TextNode.valueOf(cut(value.textValue())));
            }
        }
    }

    /** The text, or its beginning. */
    String cut(String text) {
        if (text.length() <= maxChars) {
            return text;
        }
        hasCut = true;
        int end = Character.isHighSurrogate(text.charAt(maxChars - 1)) ? maxChars - 1 : maxChars;
        return "%s…[+%d characters]".formatted(text.substring(0, end), text.length() - end);
    }

    /** What to say about values that were cut; empty if none was. */
    String note() {
        return hasCut
                ? " Values longer than %,d characters were cut: raise %s, or get a row alone by context with its _cursor, before=0 and after=0."
                        .formatted(maxChars, MAX_VALUE_CHARS)
                : "";
    }
}
