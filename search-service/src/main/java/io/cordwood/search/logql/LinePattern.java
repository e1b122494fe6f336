package io.cordwood.search.logql;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A pattern of literals and captures, such as {@code <ip> - <_> "<method> <path>"}. Immutable.
 *
 * @param parts literals and captures in order; no two captures are neighbours
 */
public record LinePattern(List<Part> parts) {
    private static final String UNNAMED = "_";

    /**
     * A part.
     *
     * @param text a literal, or the name of a capture
     */
    public record Part(boolean isCapture, String text) {
        boolean isNamed() {
            return isCapture && !text.equals(UNNAMED);
        }
    }

    public LinePattern {
        parts = List.copyOf(parts);
    }

    /** Reads a pattern. @throws IllegalArgumentException if two captures have nothing between them */
    static LinePattern of(String text) {
        List<Part> parts = new ArrayList<>();
        StringBuilder literal = new StringBuilder();
        for (int at = 0; at < text.length(); ) {
            Optional<String> capture = captureAt(text, at);
            if (capture.isEmpty()) {
                literal.append(text.charAt(at++));
                continue;
            }
            if (!literal.isEmpty()) {
                parts.add(new Part(false, literal.toString()));
                literal.setLength(0);
            } else if (!parts.isEmpty()) {
                throw new IllegalArgumentException("captures need something between them");
            }
            parts.add(new Part(true, capture.get()));
            at += capture.get().length() + 2;
        }
        if (!literal.isEmpty()) {
            parts.add(new Part(false, literal.toString()));
        }
        return new LinePattern(parts);
    }

    private static Optional<String> captureAt(String text, int at) {
        int end = text.charAt(at) == '<' ? text.indexOf('>', at) : -1;
        if (end < 0) {
            return Optional.empty();
        }
        String name = text.substring(at + 1, end);
        boolean isName = !name.isEmpty()
                && !Character.isDigit(name.charAt(0))
                && name.chars().allMatch(c -> c == '_' || (c < 128 && Character.isLetterOrDigit(c)));
        return isName ? Optional.of(name) : Optional.empty();
    }

    boolean hasNames() {
        return parts.stream().anyMatch(Part::isNamed);
    }

    boolean repeatsName() {
        List<String> names =
                parts.stream().filter(Part::isNamed).map(Part::text).toList();
        return names.stream().distinct().count() < names.size();
    }

    /** The named captures of a line, as far as the pattern fits. */
    public Map<String, String> captures(String line) {
        Map<String, String> captured = new LinkedHashMap<>();
        int at = 0;
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            if (!part.isCapture()) {
                // Only the first part is a literal without a capture before it
                int found = i == 0 ? (line.startsWith(part.text()) ? 0 : -1) : at;
                if (found < 0) {
                    return captured;
                }
                at = found + part.text().length();
                continue;
            }
            int end = i + 1 < parts.size() ? line.indexOf(parts.get(i + 1).text(), at) : line.length();
            boolean isPartial = end < 0;
            if (part.isNamed() && at <= line.length()) {
                captured.put(part.text(), line.substring(at, isPartial ? line.length() : end));
            }
            if (isPartial) {
                return captured;
            }
            at = end;
        }
        return captured;
    }

    /** Whether a line has the literals in this order; one at an end of the pattern stands at that end of the line. */
    boolean isIn(String line) {
        int at = 0;
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            if (part.isCapture()) {
                continue;
            }
            boolean isFirst = i == 0;
            boolean isLast = i == parts.size() - 1;
            int found = isFirst ? (line.startsWith(part.text()) ? 0 : -1) : line.indexOf(part.text(), at);
            if (isLast && !isFirst) {
                found = line.length() - part.text().length();
                found = found >= at && line.endsWith(part.text()) ? found : -1;
            }
            if (found < 0 || (isFirst && isLast && !line.equals(part.text()))) {
                return false;
            }
            at = found + part.text().length();
        }
        return true;
    }
}
