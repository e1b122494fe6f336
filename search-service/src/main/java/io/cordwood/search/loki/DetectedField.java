package io.cordwood.search.loki;

import io.cordwood.search.logql.Units;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;

/** A field of lines, with what is known of its values. Not thread-safe. */
final class DetectedField {
    private final Set<String> parsers = new TreeSet<>();
    private final Set<String> values = new LinkedHashSet<>();

    void add(String value) {
        values.add(value);
    }

    void add(String value, String parser) {
        parsers.add(parser);
        values.add(value);
    }

    /** The parsers that find it in lines; none if it is structured metadata. */
    Set<String> parsers() {
        return parsers;
    }

    Set<String> values() {
        return values;
    }

    /** Loki's name of the narrowest type that all values have. */
    String type() {
        if (values.stream().allMatch(value -> value.equals("true") || value.equals("false"))) {
            return "boolean";
        }
        if (values.stream().allMatch(value -> value.matches("[-+]?[0-9]{1,18}"))) {
            return "int";
        }
        if (values.stream().allMatch(value -> value.matches("[-+]?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?"))) {
            return "float";
        }
        if (values.stream().allMatch(value -> Units.nanos(value).isPresent())) {
            return "duration";
        }
        return values.stream().allMatch(value -> Units.bytes(value).isPresent()) ? "bytes" : "string";
    }
}
