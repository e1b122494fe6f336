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
 * @param permission what the caller must be allowed before the body is read and the action runs
 * @param maxBodyBytes the largest body that it accepts
 * @param action handler of the request
 */
public record Route(String method, String template, Permission permission, long maxBodyBytes, Action action) {
    /** Of requests about one thing. */
    static final long SMALL_BODY_BYTES = 1 << 20;
    /** Of commits, and of requests about many tables. */
    public static final long LARGE_BODY_BYTES = 64 << 20;

    /** Of a request that proves who its sender is. */
    static final long CREDENTIALS_BYTES = 16 << 10;
    /** Of any request of a person: parsed, it takes many times its size of the memory that all share. */
    static final long PERSONS_BODY_BYTES = 4 << 20;

    private static final List<String> WITHOUT_BODY = List.of("GET", "HEAD");

    /** An endpoint that accepts small bodies, or none if the method has none. */
    public Route(String method, String template, Permission permission, Action action) {
        this(method, template, permission, maxBodyBytes(method, permission), action);
    }

    private static long maxBodyBytes(String method, Permission permission) {
        if (WITHOUT_BODY.contains(method)) {
            return 0;
        }
        return permission.equals(Permission.CREDENTIALS) ? CREDENTIALS_BYTES : SMALL_BODY_BYTES;
    }

    /** The largest body that it accepts from this caller. */
    long maxBodyBytes(Caller caller) {
        return caller.isPerson() ? Math.min(maxBodyBytes, PERSONS_BODY_BYTES) : maxBodyBytes;
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
