package io.cordwood.catalog.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.catalog.json.Json;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * JSON of pipelines: {@code {"steps":[{"type":..}]}}, each step with the members of its type. Stateless, thread-safe.
 *
 * <p>Reading throws {@link IllegalArgumentException}, with a message for the user that names the step, if the JSON is
 * malformed.
 */
public final class PipelineParser {
    private static final String TYPE = "type";
    private static final String COLUMN = "column";
    private static final String MATCHES = "matches";
    private static final String KEEP = "keep";
    private static final String PATTERN = "pattern";

    private PipelineParser() {}

    /** Writes a pipeline. */
    public static ObjectNode toJson(Pipeline pipeline) {
        ObjectNode json = Json.object();
        ArrayNode steps = json.putArray("steps");
        pipeline.steps().forEach(step -> steps.add(toJson(step)));
        return json;
    }

    private static ObjectNode toJson(Step step) {
        ObjectNode json = Json.object();
        switch (step) {
            case Step.Parse parse -> {
                json.put(TYPE, "parse").put(COLUMN, parse.column()).put("format", Json.lowerCase(parse.format()));
                parse.pattern().ifPresent(pattern -> json.put(PATTERN, pattern));
                if (!parse.numbers().isEmpty()) {
                    put(json, "numbers", parse.numbers());
                }
                if (parse.overwrite()) {
                    json.put("overwrite", true);
                }
            }
            case Step.Rename rename ->
                json.put(TYPE, "rename").put("from", rename.from()).put("to", rename.to());
            case Step.Remove remove -> put(json.put(TYPE, "remove"), "columns", remove.columns());
            case Step.Sample sample -> {
                json.put(TYPE, sample.keep() == 0 ? "drop" : "sample")
                        .put(COLUMN, sample.column())
                        .put(MATCHES, sample.matches());
                if (sample.keep() > 0) {
                    json.put(KEEP, sample.keep());
                }
            }
            case Step.Redact redact ->
                put(
                        json.put(TYPE, "redact"),
                        "kinds",
                        new TreeSet<>(redact.kinds())
                                .stream().map(Json::lowerCase).toList());
            case Step.RedactPattern redact ->
                json.put(TYPE, "redact").put("name", redact.name()).put(PATTERN, redact.pattern());
        }
        return json;
    }

    private static void put(ObjectNode json, String member, List<String> values) {
        ArrayNode array = json.putArray(member);
        values.forEach(array::add);
    }

    /** Reads {@link #toJson(Pipeline)}. */
    public static Pipeline pipeline(JsonNode json) {
        requireMembers(json, Set.of("steps"));
        List<Step> steps = new ArrayList<>();
        for (JsonNode step : Json.array(json.path("steps"), "steps")) {
            try {
                steps.add(step(step));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("Step %d: %s".formatted(steps.size() + 1, e.getMessage()), e);
            }
        }
        return new Pipeline(steps);
    }

    private static Step step(JsonNode json) {
        String type = Json.text(json, TYPE);
        return switch (type) {
            case "parse" -> {
                requireMembers(json, Set.of(TYPE, COLUMN, "format", PATTERN, "numbers", "overwrite"));
                yield new Step.Parse(
                        Json.text(json, COLUMN),
                        Json.constant(Step.Parse.Format.class, Json.text(json, "format"), "format"),
                        optional(json, PATTERN),
                        Json.texts(json, "numbers"),
                        flag(json, "overwrite"));
            }
            case "rename" -> {
                requireMembers(json, Set.of(TYPE, "from", "to"));
                yield new Step.Rename(Json.text(json, "from"), Json.text(json, "to"));
            }
            case "remove" -> {
                requireMembers(json, Set.of(TYPE, "columns"));
                yield new Step.Remove(Json.texts(json, "columns"));
            }
            case "drop" -> {
                requireMembers(json, Set.of(TYPE, COLUMN, MATCHES));
                yield new Step.Sample(Json.text(json, COLUMN), Json.text(json, MATCHES), 0);
            }
            case "sample" -> {
                requireMembers(json, Set.of(TYPE, COLUMN, MATCHES, KEEP));
                if (!json.path(KEEP).isNumber()) {
                    throw new IllegalArgumentException("Member 'keep' is not a number");
                }
                yield new Step.Sample(
                        Json.text(json, COLUMN),
                        Json.text(json, MATCHES),
                        json.path(KEEP).doubleValue());
            }
            case "redact" -> redact(json);
            default ->
                throw new IllegalArgumentException(
                        "'%s' is no type of step: use parse, rename, remove, drop, sample or redact".formatted(type));
        };
    }

    private static Step redact(JsonNode json) {
        if (json.has(PATTERN)) {
            requireMembers(json, Set.of(TYPE, "name", PATTERN));
            return new Step.RedactPattern(Json.text(json, "name"), Json.text(json, PATTERN));
        }
        requireMembers(json, Set.of(TYPE, "kinds"));
        Set<Sensitive> kinds = EnumSet.noneOf(Sensitive.class);
        for (String kind : Json.texts(json, "kinds")) {
            kinds.add(Json.constant(Sensitive.class, kind, "kinds"));
        }
        return new Step.Redact(kinds);
    }

    private static boolean flag(JsonNode json, String member) {
        JsonNode value = json.path(member);
        if (!value.isMissingNode() && !value.isBoolean()) {
            throw new IllegalArgumentException("Member '%s' is neither true nor false".formatted(member));
        }
        return value.booleanValue();
    }

    private static Optional<String> optional(JsonNode json, String member) {
        return json.has(member) ? Optional.of(Json.text(json, member)) : Optional.empty();
    }

    /** A member that is misspelled must not be left out in silence. */
    private static void requireMembers(JsonNode json, Set<String> known) {
        if (!json.isObject()) {
            throw new IllegalArgumentException("It is no JSON object");
        }
        json.fieldNames().forEachRemaining(name -> {
            if (!known.contains(name)) {
                throw new IllegalArgumentException(
                        "Member '%s' is not known: use %s".formatted(name, String.join(", ", new TreeSet<>(known))));
            }
        });
    }
}
