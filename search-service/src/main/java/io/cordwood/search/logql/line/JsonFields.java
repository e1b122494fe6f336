package io.cordwood.search.logql.line;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.search.logql.Stage;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Takes labels from lines that are JSON objects. Stateless. */
final class JsonFields {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ERROR = "JSONParserErr";

    /** The member that has the line of a packed one. */
    private static final String ENTRY = "_entry";

    private JsonFields() {}

    static void extract(Stage.Json stage, LogLine line) {
        try {
            if (stage.fields().isEmpty()) {
                extractAll(line);
            } else {
                extract(stage.fields(), line);
            }
        } catch (IOException e) {
            line.fail(ERROR, "the line is no JSON object");
        }
    }

    /** Takes every value that is neither an array nor null. Names of nested members are joined by {@code _}. */
    private static void extractAll(LogLine line) throws IOException {
        try (JsonParser parser = JSON.createParser(line.line())) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("No object");
            }
            // The names of the members around the current one, and how many characters belong to each object
            StringBuilder name = new StringBuilder();
            Deque<Integer> prefixes = new ArrayDeque<>();
            prefixes.push(0);
            while (!prefixes.isEmpty() && !line.isFull()) {
                JsonToken token = parser.nextToken();
                if (token == null) {
                    throw new IOException("Incomplete");
                }
                switch (token) {
                    case FIELD_NAME -> {
                        name.setLength(prefixes.element());
                        name.append(parser.currentName());
                    }
                    case START_OBJECT -> {
                        name.append('_');
                        prefixes.push(name.length());
                    }
                    case END_OBJECT -> prefixes.pop();
                    case START_ARRAY -> parser.skipChildren();
                    case VALUE_NULL -> {}
                    default -> line.extract(LabelNames.of(name.toString()), parser.getText());
                }
            }
        }
    }

    private static void extract(List<Stage.Extraction> fields, LogLine line) throws IOException {
        JsonNode root = object(line);
        for (Stage.Extraction field : fields) {
            JsonNode node = root;
            for (String step : field.path()) {
                node = node.isArray() ? element(node, step) : node.path(step);
            }
            if (!node.isMissingNode() && !node.isNull() && !line.isFull()) {
                line.extract(field.label(), node.isContainerNode() ? node.toString() : node.asText());
            }
        }
    }

    private static JsonNode element(JsonNode array, String step) {
        boolean isIndex = step.chars().allMatch(Character::isDigit);
        return isIndex ? array.path(Integer.parseInt(step)) : array.path(step);
    }

    private static JsonNode object(LogLine line) throws IOException {
        JsonNode node = JSON.readTree(line.line());
        if (!node.isObject()) {
            throw new IOException("No object");
        }
        return node;
    }

    /** Takes the texts of a packed line, and the line that was packed. */
    static void unpack(LogLine line) {
        try {
            object(line).properties().forEach(member -> {
                if (member.getKey().equals(ENTRY)) {
                    line.replaceLine(member.getValue().asText());
                } else if (member.getValue().isTextual()) {
                    line.extract(
                            LabelNames.of(member.getKey()), member.getValue().textValue());
                }
            });
        } catch (IOException e) {
            line.fail(ERROR, "the line is no JSON object");
        }
    }
}
