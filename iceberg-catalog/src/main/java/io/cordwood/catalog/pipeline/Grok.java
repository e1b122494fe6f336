package io.cordwood.catalog.pipeline;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writes a pattern of grok out as a regular expression. Not thread-safe. */
final class Grok {
    private static final Pattern REFERENCE = Pattern.compile("%\\{(\\w+)(?::([\\w@.\\[\\]-]+))?(?::(\\w+))?\\}");
    private final int maxLength;
    private final Map<String, ColumnPattern.Group> groups = new HashMap<>();

    /** @param maxLength of the regular expression, in characters */
    Grok(int maxLength) {
        this.maxLength = maxLength;
    }

    /** The columns by the name of their group. */
    Map<String, ColumnPattern.Group> groups() {
        return groups;
    }

    /**
     * The regular expression of a pattern.
     *
     * @throws IllegalArgumentException with a message for the user, if it names a pattern that is not known, or is too
     *     long
     */
    String writtenOut(String text) {
        Matcher reference = REFERENCE.matcher(text);
        StringBuilder regex = new StringBuilder();
        int end = 0;
        while (reference.find()) {
            requireNoReference(text.substring(end, reference.start()));
            end = reference.end();
            String inner = writtenOut(named(reference.group(1)));
            reference.appendReplacement(
                    regex, Matcher.quoteReplacement(grouped(inner, reference.group(2), reference.group(3))));
        }
        requireNoReference(text.substring(end));
        reference.appendTail(regex);
        if (regex.length() > maxLength) {
            throw new IllegalArgumentException(
                    "The grok pattern is longer than %,d characters when it is written out".formatted(maxLength));
        }
        return regex.toString();
    }

    private static String named(String name) {
        return Optional.ofNullable(GrokPatterns.ALL.get(name))
                .orElseThrow(() -> new IllegalArgumentException(
                        "There is no grok pattern '%s': use a regular expression in its place".formatted(name)));
    }

    /** What looks like a reference and is none would be taken by its letters, and never match. */
    private static void requireNoReference(String text) {
        int at = text.indexOf("%{");
        if (at >= 0) {
            throw new IllegalArgumentException(
                    "'%s' is malformed: write %%{PATTERN}, %%{PATTERN:column} or %%{PATTERN:column:int}"
                            .formatted(Steps.shortened(text.substring(at))));
        }
    }

    private String grouped(String inner, String column, String type) {
        if (column == null) {
            return "(?:" + inner + ")";
        }
        String name = "cordwood_%d".formatted(groups.size());
        groups.put(name, new ColumnPattern.Group(0, dotted(column), isNumber(type)));
        return "(?P<" + name + ">" + inner + ")";
    }

    /** Elastic's patterns write {@code [http][status]} for what is {@code http.status} here. */
    private static String dotted(String column) {
        return column.replace("][", ".").replace("[", "").replace("]", "");
    }

    private static boolean isNumber(String type) {
        if (type == null || type.equals("string")) {
            return false;
        }
        if (!type.matches("int|integer|long|float|double|number")) {
            throw new IllegalArgumentException("'%s' is no type of grok: use int, float or string".formatted(type));
        }
        return true;
    }
}
