package io.cordwood.catalog.server.http;

import io.cordwood.http.Reply;
import io.cordwood.http.Sender;
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
 * @param permission what the caller must be allowed before the body is read and the action runs
 * @param maxBodyBytes the largest body that it accepts
 * @param action handler of the request
 */
public record Route(String method, String template, Permission permission, long maxBodyBytes, Action action) {
    /** Of requests about one thing. */
    static final long SMALL_BODY_BYTES = 1 << 20;
    /** Of commits, and of requests about many tables. */
    private static final long LARGE_BODY_BYTES = Sender.SERVICE.maxBodyBytes();

    private static final List<String> WITHOUT_BODY = List.of("GET", "HEAD");

    /** An endpoint that accepts small bodies, or none if the method has none. */
    public Route(String method, String template, Permission permission, Action action) {
        this(method, template, permission, WITHOUT_BODY.contains(method) ? 0 : SMALL_BODY_BYTES, action);
    }

    /** The largest body that it accepts from such a sender. */
    long maxBodyBytes(Sender sender) {
        return Math.min(maxBodyBytes, sender.maxBodyBytes());
    }

    /** Handles a call. */
    @FunctionalInterface
    public interface Action {
        Reply answer(Call call);
    }

    /** This endpoint, for large bodies. */
    public Route withLargeBody() {
        return new Route(method, template, permission, LARGE_BODY_BYTES, action);
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
