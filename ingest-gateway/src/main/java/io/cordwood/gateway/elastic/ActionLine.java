package io.cordwood.gateway.elastic;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.json.JsonScanner;
import io.cordwood.record.json.JsonScanner.Token;
import io.cordwood.record.json.JsonText;
import io.cordwood.record.json.TextSink;
import java.util.Optional;
import java.util.Set;

/** Reads the lines of a bulk request that say what to do with the next document. Not thread-safe. */
final class ActionLine {
    private static final Set<String> ACTIONS = Set.of("create", "index", "update", "delete");
    /** Those of all versions: none of them means anything here. */
    private static final Set<String> IGNORED = Set.of(
            "_type",
            "_routing",
            "routing",
            "op_type",
            "_version",
            "version",
            "_version_type",
            "version_type",
            "if_seq_no",
            "if_primary_term",
            "_retry_on_conflict",
            "retry_on_conflict",
            "pipeline",
            "_source",
            "require_alias",
            "require_data_stream",
            "list_executed_pipelines",
            "dynamic_templates");

    /** Of a name or a value as it is written. No index and no id that is good is longer. */
    private static final int MAX_TEXT_BYTES = 8 << 10;

    private final JsonScanner scanner = new JsonScanner();
    private final TextSink text = new TextSink();

    /**
     * What a line says.
     *
     * @param name {@code create}, {@code index}, {@code update} or {@code delete}
     * @param index the index, if it names one
     * @param id the document's id, if it has one
     */
    record Action(String name, Optional<String> index, Optional<String> id) {
        /** Whether a line with a document follows. */
        boolean hasDocument() {
            return !name.equals("delete");
        }
    }

    /**
     * Reads a line.
     *
     * @param number of the line in the request, from 1
     * @throws RefusedException if it is malformed: what follows cannot be told apart then
     */
    Action read(byte[] data, int from, int to, int number) {
        try {
            scanner.reset(data, from, to);
            scanner.expect('{');
            scanner.expect('"');
            scanner.string();
            String name = string(Token.STRING, number);
            if (!ACTIONS.contains(name)) {
                throw malformed(
                        number, "expected field [create], [delete], [index] or [update] but found [" + name + "]");
            }
            scanner.expect(':');
            scanner.expect('{');
            Action action = readParameters(name, number);
            skipFurtherMembers();
            scanner.expect('}');
            scanner.expectEnd();
            return action;
        } catch (UndecodableRecordException e) {
            throw malformed(number, e.getMessage());
        }
    }

    private Action readParameters(String action, int number) throws UndecodableRecordException {
        Optional<String> index = Optional.empty();
        Optional<String> id = Optional.empty();
        if (scanner.peek() == '}') {
            scanner.position(scanner.position() + 1);
            return new Action(action, index, id);
        }
        while (true) {
            scanner.expect('"');
            scanner.string();
            String name = string(Token.STRING, number);
            scanner.expect(':');
            Token token = readValue();
            switch (name) {
                case "_index" -> index = value(token, name, number);
                case "_id" -> id = value(token, name, number);
                default -> {
                    if (!IGNORED.contains(name)) {
                        throw RefusedException.malformed(
                                "Action/metadata line [%d] contains an unknown parameter [%s]".formatted(number, name));
                    }
                }
            }
            if (scanner.peek() == '}') {
                scanner.position(scanner.position() + 1);
                return new Action(action, index, id);
            }
            scanner.expect(',');
        }
    }

    /** Members behind the action, which Elasticsearch 8 ignores: winston's transport sends one. */
    private void skipFurtherMembers() throws UndecodableRecordException {
        while (scanner.peek() == ',') {
            scanner.position(scanner.position() + 1);
            scanner.expect('"');
            scanner.string();
            scanner.expect(':');
            readValue();
        }
    }

    private Token readValue() throws UndecodableRecordException {
        Token token = scanner.value();
        if (token == Token.OBJECT || token == Token.ARRAY) {
            scanner.skipContainer(scanner.start(), 1);
        }
        return token;
    }

    private Optional<String> value(Token token, String name, int number) {
        return switch (token) {
            case NULL -> Optional.empty();
            case OBJECT, ARRAY -> throw malformed(number, "expected a simple value for field [" + name + "]");
            default -> Optional.of(string(token, number));
        };
    }

    private String string(Token token, int number) {
        if (scanner.stop() - scanner.start() > MAX_TEXT_BYTES) {
            throw malformed(number, "it has a text of more than %,d bytes".formatted(MAX_TEXT_BYTES));
        }
        if (token != Token.STRING) {
            return switch (token) {
                case TRUE -> "true";
                case FALSE -> "false";
                default -> new String(scanner.data(), scanner.start(), scanner.stop() - scanner.start(), UTF_8);
            };
        }
        text.reset();
        JsonText.unescape(scanner.data(), scanner.start(), scanner.stop(), text);
        return new String(text.array(), 0, text.length(), UTF_8);
    }

    private static RefusedException malformed(int number, String why) {
        return RefusedException.malformed("Malformed action/metadata line [%d], %s".formatted(number, why));
    }
}
