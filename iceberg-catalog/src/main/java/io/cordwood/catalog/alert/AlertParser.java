package io.cordwood.catalog.alert;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.catalog.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * JSON of alerts, for client, server and database. Stateless, thread-safe.
 *
 * <p>Every reading method throws {@link IllegalArgumentException}, with a message for the caller, if the JSON is
 * malformed.
 */
public final class AlertParser {
    private static final int DEFAULT_SAMPLES = 3;
    private static final long DEFAULT_EVERY_SECONDS = 60;

    private AlertParser() {}

    /**
     * {@code {"tenant":.., "stream":.., "name":.., "query":.., "window-seconds":.., "every-seconds":..,
     * "for-seconds":.., "comparison":">", "threshold":.., "labels":{..}, "annotations":{..}, "samples":..}}.
     */
    public static ObjectNode toJson(AlertRule rule) {
        ObjectNode json = Json.object()
                .put("tenant", rule.tenantId())
                .put("stream", rule.stream())
                .put("name", rule.name())
                .put("query", rule.query())
                .put("window-seconds", rule.window().toSeconds())
                .put("every-seconds", rule.every().toSeconds())
                .put("for-seconds", rule.holdFor().toSeconds())
                .put("comparison", rule.comparison().symbol())
                .put("threshold", rule.threshold());
        put(json.putObject("labels"), rule.labels());
        put(json.putObject("annotations"), rule.annotations());
        return json.put("samples", rule.samples());
    }

    private static void put(ObjectNode json, Map<String, String> values) {
        new TreeMap<>(values).forEach(json::put);
    }

    /** Reads {@link #toJson(AlertRule)}; some members have defaults. */
    public static AlertRule rule(JsonNode json) {
        return new AlertRule(
                Json.text(json, "tenant"),
                Json.text(json, "stream"),
                Json.text(json, "name"),
                Json.text(json, "query"),
                Duration.ofSeconds(Json.number(json, "window-seconds")),
                Duration.ofSeconds(Json.wholeNumber(json, "every-seconds").orElse(DEFAULT_EVERY_SECONDS)),
                Duration.ofSeconds(Json.wholeNumber(json, "for-seconds").orElse(0L)),
                Comparison.of(Json.text(json, "comparison")),
                Json.number(json, "threshold"),
                texts(json, "labels"),
                texts(json, "annotations"),
                Math.toIntExact(Math.clamp(
                        Json.wholeNumber(json, "samples").orElse((long) DEFAULT_SAMPLES), -1, Integer.MAX_VALUE)));
    }

    private static Map<String, String> texts(JsonNode json, String member) {
        JsonNode values = json.path(member);
        if (!values.isMissingNode() && !values.isObject()) {
            throw new IllegalArgumentException("Member '%s' is not an object".formatted(member));
        }
        Map<String, String> texts = new HashMap<>();
        values.properties().forEach(value -> texts.put(value.getKey(), Json.text(values, value.getKey())));
        return texts;
    }

    /**
     * {@code {"state":.., "since-millis":.., "evaluated-millis":.., "value":.., "starts-at-millis":.., "samples":[..],
     * "error":..}}, without what is unknown.
     */
    public static ObjectNode toJson(AlertStatus status) {
        ObjectNode json = Json.object().put("state", Json.lowerCase(status.state()));
        status.since().ifPresent(at -> json.put("since-millis", at.toEpochMilli()));
        status.evaluated().ifPresent(at -> json.put("evaluated-millis", at.toEpochMilli()));
        status.value().ifPresent(value -> json.put("value", value));
        status.startsAt().ifPresent(at -> json.put("starts-at-millis", at.toEpochMilli()));
        if (!status.samples().isEmpty()) {
            ArrayNode samples = json.putArray("samples");
            status.samples().forEach(samples::add);
        }
        status.error().ifPresent(text -> json.put("error", text));
        return json;
    }

    /** Reads {@link #toJson(AlertStatus)}. */
    public static AlertStatus status(JsonNode json) {
        return new AlertStatus(
                Json.constant(AlertStatus.State.class, Json.text(json, "state"), "state"),
                time(json, "since-millis"),
                time(json, "evaluated-millis"),
                Json.wholeNumber(json, "value").map(OptionalLong::of).orElse(OptionalLong.empty()),
                time(json, "starts-at-millis"),
                Json.texts(json, "samples"),
                json.has("error") ? Optional.of(Json.text(json, "error")) : Optional.empty());
    }

    private static Optional<Instant> time(JsonNode json, String member) {
        return Json.wholeNumber(json, member).map(Instant::ofEpochMilli);
    }

    /** {@code {"rule":.., "revision":.., "status":..}}. */
    public static ObjectNode toJson(Alert alert) {
        ObjectNode json = Json.object().put("revision", alert.revision());
        json.set("rule", toJson(alert.rule()));
        json.set("status", toJson(alert.status()));
        return json;
    }

    /** Reads {@link #toJson(Alert)}. */
    public static Alert alert(JsonNode json) {
        return new Alert(rule(json.path("rule")), Json.text(json, "revision"), status(json.path("status")));
    }

    /** {@code {"alerts":[..]}}. */
    public static ObjectNode toJson(Collection<Alert> alerts) {
        ObjectNode json = Json.object();
        ArrayNode array = json.putArray("alerts");
        alerts.forEach(alert -> array.add(toJson(alert)));
        return json;
    }

    /** Reads {@link #toJson(Collection)}. */
    public static List<Alert> alerts(JsonNode json) {
        List<Alert> alerts = new ArrayList<>();
        Json.array(json.path("alerts"), "alerts").forEach(alert -> alerts.add(alert(alert)));
        return alerts;
    }
}
