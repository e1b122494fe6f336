package io.cordwood.gateway.elastic;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The parameter {@code filter_path}: which parts of an answer the client wants. Immutable. */
final class FilterPath {
    private static final int MAX_PATTERNS = 64;
    private static final String ANY_PARTS = "**";

    private final List<List<String>> included;
    private final List<List<String>> excluded;

    /** @param parameter patterns between commas, those that begin with a minus exclude; empty: all is wanted */
    FilterPath(Optional<String> parameter) {
        List<String> patterns = Arrays.stream(parameter.orElse("").split(","))
                .map(String::strip)
                .filter(pattern -> !pattern.isEmpty())
                .limit(MAX_PATTERNS)
                .toList();
        included = patterns.stream()
                .filter(pattern -> !pattern.startsWith("-"))
                .map(FilterPath::parts)
                .toList();
        excluded = patterns.stream()
                .filter(pattern -> pattern.startsWith("-"))
                .map(pattern -> parts(pattern.substring(1)))
                .toList();
    }

    private static List<String> parts(String pattern) {
        List<String> parts = new ArrayList<>();
        for (String part : pattern.split("\\.", -1)) {
            // Several of them in a row mean the same as one, but would be tried in every combination
            if (parts.isEmpty() || !part.equals(ANY_PARTS) || !parts.getLast().equals(ANY_PARTS)) {
                parts.add(part);
            }
        }
        return List.copyOf(parts);
    }

    /** Whether a value without members is wanted. Arrays are no part of its path. */
    boolean wants(String... path) {
        List<String> parts = List.of(path);
        return (included.isEmpty() || matchesAny(included, parts)) && !matchesAny(excluded, parts);
    }

    private static boolean matchesAny(List<List<String>> patterns, List<String> path) {
        for (List<String> pattern : patterns) {
            if (matches(pattern, path)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a pattern means the path, or something that it is part of. */
    private static boolean matches(List<String> pattern, List<String> path) {
        if (pattern.isEmpty()) {
            return true;
        }
        if (pattern.getFirst().equals(ANY_PARTS)) {
            List<String> rest = pattern.subList(1, pattern.size());
            for (int i = 0; i <= path.size(); i++) {
                if (matches(rest, path.subList(i, path.size()))) {
                    return true;
                }
            }
            return false;
        }
        return !path.isEmpty()
                && matches(pattern.getFirst(), path.getFirst())
                && matches(pattern.subList(1, pattern.size()), path.subList(1, path.size()));
    }

    /** Whether a text matches a pattern with asterisks. */
    private static boolean matches(String pattern, String text) {
        int at = 0;
        int textAt = 0;
        int star = -1;
        int starText = 0;
        while (textAt < text.length()) {
            if (at < pattern.length() && pattern.charAt(at) == '*') {
                star = at++;
                starText = textAt;
            } else if (at < pattern.length() && pattern.charAt(at) == text.charAt(textAt)) {
                at++;
                textAt++;
            } else if (star >= 0) {
                at = star + 1;
                textAt = ++starText;
            } else {
                return false;
            }
        }
        while (at < pattern.length() && pattern.charAt(at) == '*') {
            at++;
        }
        return at == pattern.length();
    }
}
