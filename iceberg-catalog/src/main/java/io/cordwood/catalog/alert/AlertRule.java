package io.cordwood.catalog.alert;

import static java.util.Objects.requireNonNull;

import io.cordwood.catalog.tenant.StreamNames;
import io.cordwood.catalog.tenant.TenantNames;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * When a tenant's rows are an alert: if the number of rows in a window of time that match a query reaches a threshold.
 * Immutable.
 *
 * @param tenantId whose rows
 * @param stream the stream
 * @param name name of the rule, and of its alert; unique for each tenant
 * @param query a query of the search bar; empty: all rows
 * @param window length of the time whose rows are counted, in whole seconds
 * @param every time between two evaluations, in whole seconds
 * @param holdFor how long the condition holds before the alert fires, in whole seconds; zero: at once
 * @param comparison how the number of rows is compared with the threshold
 * @param threshold number of rows
 * @param labels further labels of the alert, by which Alertmanager groups and routes it
 * @param annotations texts for people
 * @param samples how many of the newest rows the alert shows
 */
public record AlertRule(
        String tenantId,
        String stream,
        String name,
        String query,
        Duration window,
        Duration every,
        Duration holdFor,
        Comparison comparison,
        long threshold,
        Map<String, String> labels,
        Map<String, String> annotations,
        int samples) {
    /** The most sample rows of an alert. */
    public static final int MAX_SAMPLES = 10;

    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9_.-]{0,99}");
    private static final Pattern LABEL = Pattern.compile("(?!__)[a-zA-Z_][a-zA-Z0-9_]{0,99}");
    /** Labels that every alert has. */
    private static final Set<String> OWN_LABELS = Set.of("alertname", "tenant", "stream");
    /** Annotations that every alert has. */
    private static final Set<String> OWN_ANNOTATIONS = Set.of("value", "samples");

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MAX_EVERY = Duration.ofDays(1);
    private static final Duration MAX_WINDOW = Duration.ofDays(7);
    private static final int MAX_QUERY = 4000;
    private static final int MAX_NAMES = 20;
    private static final int MAX_LABEL_VALUE = 200;
    private static final int MAX_ANNOTATION = 2000;

    /** @throws IllegalArgumentException with a message for the user, if a value cannot be */
    public AlertRule {
        TenantNames.schemaName(tenantId);
        StreamNames.checked(stream);
        require(
                NAME.matcher(name).matches(),
                "'%s' cannot be the name of a rule: 1 to 100 of letters, digits, '_', '.' and '-', a letter or digit first"
                        .formatted(name));
        require(query.length() <= MAX_QUERY, "The query has more than %d characters".formatted(MAX_QUERY));
        requireTime("window", window, SECOND, MAX_WINDOW);
        requireTime("every", every, SECOND, MAX_EVERY);
        requireTime("for", holdFor, Duration.ZERO, MAX_WINDOW);
        requireNonNull(comparison, "comparison is null");
        require(threshold >= 0, "The threshold is %d; a number of rows is at least 0".formatted(threshold));
        require(
                threshold > 0 || (comparison != Comparison.BELOW && comparison != Comparison.AT_LEAST),
                "'%s 0' is the same for every number of rows".formatted(comparison.symbol()));
        requireNames("label", labels, OWN_LABELS, MAX_LABEL_VALUE);
        requireNames("annotation", annotations, OWN_ANNOTATIONS, MAX_ANNOTATION);
        require(samples >= 0 && samples <= MAX_SAMPLES, "There can be 0 to %d sample rows".formatted(MAX_SAMPLES));
        labels = Map.copyOf(labels);
        annotations = Map.copyOf(annotations);
    }

    private static void requireTime(String what, Duration time, Duration least, Duration most) {
        require(
                time.compareTo(least) >= 0
                        && time.compareTo(most) <= 0
                        && time.equals(Duration.ofSeconds(time.toSeconds())),
                "'%s' must be whole seconds, %d to %d".formatted(what, least.toSeconds(), most.toSeconds()));
    }

    private static void requireNames(String what, Map<String, String> values, Set<String> own, int maxLength) {
        require(values.size() <= MAX_NAMES, "There are more than %d %ss".formatted(MAX_NAMES, what));
        values.forEach((name, value) -> {
            require(
                    LABEL.matcher(name).matches(),
                    "'%s' cannot be the name of a label or annotation: use letters, digits and '_', no digit or '__' first"
                            .formatted(name));
            require(!own.contains(name), "Every alert has its own %s '%s'".formatted(what, name));
            require(
                    !value.isEmpty() && value.length() <= maxLength,
                    "The %s '%s' must have 1 to %d characters".formatted(what, name, maxLength));
        });
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }

    /** Whether this number of rows is an alert. */
    public boolean holds(long value) {
        return comparison.holds(value, threshold);
    }

    /** All labels of its alert, by which Alertmanager knows it. */
    public Map<String, String> alertLabels() {
        Map<String, String> all = new TreeMap<>(labels);
        all.put("alertname", name);
        all.put("tenant", tenantId);
        all.put("stream", stream);
        return all;
    }
}
