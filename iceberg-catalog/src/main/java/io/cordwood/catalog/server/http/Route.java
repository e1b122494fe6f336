package io.cordwood.catalog.server.http;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One endpoint. Immutable.
 *
 * @param method HTTP method
 * @param template path with {@code {variables}} as segments
 * @param permission what the caller must be allowed before the action runs
 * @param action handler of the request
 */
public record Route(String method, String template, Permission permission, Action action) {
    /** The permission that a caller needs. */
    public enum Permission {
        /** None, not even a token. */
        NONE,
        /** A known user, once the registry has a grant; the action checks the rest. */
        KNOWN,
        /** The namespace in the path. */
        NAMESPACE,
        OPERATOR
    }

    /** Handles a call. */
    @FunctionalInterface
    public interface Action {
        Reply answer(Call call);
    }

    /** The variable segments if the path, split at slashes, matches the template. */
    Optional<Map<String, String>> match(List<String> segments) {
        List<String> expected = segments(template);
        if (expected.size() != segments.size()) {
            return Optional.empty();
        }
        Map<String, String> variables = new HashMap<>();
        for (int i = 0; i < expected.size(); i++) {
            String segment = expected.get(i);
            if (segment.startsWith("{")) {
                variables.put(segment.substring(1, segment.length() - 1), segments.get(i));
            } else if (!segment.equals(segments.get(i))) {
                return Optional.empty();
            }
        }
        return Optional.of(variables);
    }

    static List<String> segments(String path) {
        return Arrays.stream(path.split("/"))
                .filter(segment -> !segment.isEmpty())
                .toList();
    }

    @Override
    public String toString() {
        return method + " " + template;
    }
}
