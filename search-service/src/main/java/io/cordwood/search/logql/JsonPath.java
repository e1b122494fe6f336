package io.cordwood.search.logql;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads where a field of a JSON object is, such as {@code a.b[0]["c d"]}. Stateless. */
final class JsonPath {
    private static final Pattern STEP =
            Pattern.compile("\\.?([a-zA-Z_][a-zA-Z0-9_]*)|\\[([0-9]{1,9})\\]|\\[\"((?:[^\"\\\\]|\\\\.)*)\"\\]");

    private JsonPath() {}

    /** The names of members and the indexes of elements; empty if the path is malformed. */
    static Optional<List<String>> parse(String path) {
        List<String> steps = new ArrayList<>();
        Matcher step = STEP.matcher(path);
        int end = 0;
        while (end < path.length() && step.find(end) && step.start() == end) {
            boolean isName = step.group(1) != null;
            if (isName && (path.charAt(end) == '.') == steps.isEmpty()) {
                return Optional.empty();
            }
            String quoted = step.group(3);
            steps.add(isName ? step.group(1) : quoted == null ? step.group(2) : quoted.replaceAll("\\\\(.)", "$1"));
            end = step.end();
        }
        return end == path.length() && !steps.isEmpty() ? Optional.of(List.copyOf(steps)) : Optional.empty();
    }
}
