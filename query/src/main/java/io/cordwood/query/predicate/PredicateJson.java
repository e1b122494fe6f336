package io.cordwood.query.predicate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.logblock.match.MatchQuery;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.predicate.Predicate.ValueRange;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads and writes predicates on SQL columns as JSON, in which scans carry them from the coordinator to the workers.
 * Columns have names, not ids: {@code PredicateBinder} binds them. Stateless.
 */
public final class PredicateJson {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private PredicateJson() {}

    static String encode(Predicate predicate) {
        return write(predicate).toString();
    }

    /** @throws IllegalArgumentException if the text is not a result of {@link #encode} */
    static Predicate decode(String json) {
        try {
            return read(MAPPER.readTree(json));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("Not a predicate: " + json, e);
        }
    }

    private static ObjectNode write(Predicate predicate) {
        ObjectNode node = MAPPER.createObjectNode();
        switch (predicate) {
            case Predicate.And(List<Predicate> terms) -> node.set("and", writeAll(terms));
            case Predicate.Or(List<Predicate> terms) -> node.set("or", writeAll(terms));
            case Predicate.Not(Predicate term) -> node.set("not", write(term));
            case Predicate.IsNull(Column column) -> writeColumn(node, "isNull", column);
            case Predicate.Match(Column column, MatchQuery query) ->
                writeColumn(node, "match", column).put("query", query.toString());
            case Predicate.Like(Column column, String pattern, Optional<Character> escape) -> {
                writeColumn(node, "like", column).put("pattern", pattern);
                escape.ifPresent(character -> node.put("escape", character.toString()));
            }
            case Predicate.In(Column column, List<ValueRange> ranges) -> {
                ArrayNode array = writeColumn(node, "in", column).putArray("ranges");
                ranges.forEach(range -> writeRange(array.addObject(), range));
            }
        }
        return node;
    }

    private static ArrayNode writeAll(List<Predicate> terms) {
        ArrayNode array = MAPPER.createArrayNode();
        terms.forEach(term -> array.add(write(term)));
        return array;
    }

    private static ObjectNode writeColumn(ObjectNode node, String operator, Column column) {
        return node.put(operator, column.name()).put("type", column.type().name());
    }

    private static void writeRange(ObjectNode node, ValueRange range) {
        range.low().ifPresent(low -> putValue(node, range.lowInclusive() ? "ge" : "gt", low));
        range.high().ifPresent(high -> putValue(node, range.highInclusive() ? "le" : "lt", high));
    }

    private static void putValue(ObjectNode node, String key, Object value) {
        switch (value) {
            case Long number -> node.put(key, number);
            // As bits: JSON has no infinities
            case Double number -> node.put(key, Double.doubleToRawLongBits(number));
            case Boolean flag -> node.put(key, flag);
            case String text -> node.put(key, text);
            default -> throw new IllegalArgumentException("Not a value of a predicate: " + value);
        }
    }

    private static Predicate read(JsonNode node) {
        if (node.has("and")) {
            return new Predicate.And(readAll(node.get("and")));
        }
        if (node.has("or")) {
            return new Predicate.Or(readAll(node.get("or")));
        }
        if (node.has("not")) {
            return new Predicate.Not(read(node.get("not")));
        }
        if (node.has("isNull")) {
            return new Predicate.IsNull(readColumn(node, "isNull"));
        }
        if (node.has("match")) {
            return new Predicate.Match(
                    readColumn(node, "match"),
                    MatchQuery.parse(node.get("query").textValue()));
        }
        if (node.has("like")) {
            Optional<Character> escape = Optional.ofNullable(node.get("escape"))
                    .map(text -> text.textValue().charAt(0));
            return new Predicate.Like(
                    readColumn(node, "like"), node.get("pattern").textValue(), escape);
        }
        if (node.has("in")) {
            Column column = readColumn(node, "in");
            List<ValueRange> ranges = new ArrayList<>();
            node.get("ranges").forEach(range -> ranges.add(readRange(range, column.type())));
            return new Predicate.In(column, ranges);
        }
        throw new IllegalArgumentException("Not a predicate: " + node);
    }

    private static List<Predicate> readAll(JsonNode nodes) {
        List<Predicate> terms = new ArrayList<>();
        nodes.forEach(node -> terms.add(read(node)));
        return terms;
    }

    private static Column readColumn(JsonNode node, String operator) {
        return unbound(
                node.get(operator).textValue(),
                ColumnType.valueOf(node.get("type").textValue()));
    }

    /** A column that has a name but no id. */
    public static Column unbound(String name, ColumnType type) {
        return Column.of(name, 0, type);
    }

    private static ValueRange readRange(JsonNode node, ColumnType type) {
        boolean lowInclusive = node.has("ge");
        boolean highInclusive = node.has("le");
        return new ValueRange(
                readValue(node.get(lowInclusive ? "ge" : "gt"), type),
                lowInclusive,
                readValue(node.get(highInclusive ? "le" : "lt"), type),
                highInclusive);
    }

    private static Optional<Object> readValue(JsonNode node, ColumnType type) {
        if (node == null) {
            return Optional.empty();
        }
        return Optional.of(
                switch (type) {
                    case BIGINT, TIMESTAMP -> node.longValue();
                    case DOUBLE -> Double.longBitsToDouble(node.longValue());
                    case BOOLEAN -> node.booleanValue();
                    case VARCHAR -> node.textValue();
                    case MAP -> throw new IllegalArgumentException("A map has no ranges");
                });
    }
}
