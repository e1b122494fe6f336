package io.cordwood.search.alert;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.catalog.alert.Alert;
import io.cordwood.catalog.alert.AlertRule;
import io.cordwood.catalog.alert.AlertStatus;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Alerts as Alertmanager takes them: {@code POST /api/v2/alerts}. Immutable.
 *
 * @param page address of the search page; empty: alerts have no links
 * @param validity how long an alert that fires is one without being sent again
 * @param delay how long a window has ended before it is evaluated
 */
record AlertMessages(Optional<URI> page, Duration validity, Duration delay) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** A body of these elements. */
    static String body(List<String> elements) {
        return "[" + String.join(",", elements) + "]";
    }

    /** An element of a body. The alert fires or has ended. */
    String element(Alert alert, Instant now) {
        ObjectNode json = JSON.createObjectNode();
        write(json, alert, now);
        return json.toString();
    }

    private void write(ObjectNode json, Alert alert, Instant now) {
        AlertRule rule = alert.rule();
        AlertStatus status = alert.status();
        ObjectNode labels = json.putObject("labels");
        rule.alertLabels().forEach(labels::put);
        ObjectNode annotations = json.putObject("annotations");
        new TreeMap<>(rule.annotations()).forEach(annotations::put);
        status.value().ifPresent(value -> annotations.put("value", Long.toString(value)));
        if (!status.samples().isEmpty()) {
            annotations.put("samples", String.join("\n", status.samples()));
        }
        Instant ends = status.state() == AlertStatus.State.FIRING
                ? now.plus(validity)
                : status.since().orElse(now);
        // Of a clock that was wrong, a start may lie in the future: Alertmanager refuses one after the end
        Instant starts = status.startsAt().filter(ends::isAfter).orElse(ends);
        json.put("startsAt", starts.toString()).put("endsAt", ends.toString());
        page.ifPresent(address -> json.put("generatorURL", link(address, rule, status)));
    }

    /** The page with the rows of the window that made the alert fire. */
    private String link(URI address, AlertRule rule, AlertStatus status) {
        Instant to = status.startsAt().orElseThrow().minus(delay);
        return "%s/#tenant=%s&stream=%s&query=%s&from=%s&to=%s"
                .formatted(
                        address.toString().replaceFirst("/+$", ""),
                        encoded(rule.tenantId()),
                        encoded(rule.stream()),
                        encoded(rule.query()),
                        encoded(to.minus(rule.window()).toString()),
                        encoded(to.toString()));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
