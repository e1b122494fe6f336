package io.cordwood.catalog.pipeline;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.cordwood.catalog.regex.Regex;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A regular expression whose groups are columns. It takes time in proportion to the text, whatever the pattern is.
 * Immutable, thread-safe.
 */
public final class ColumnPattern {
    /** The longest pattern, in characters, and the same of grok when it is written out. */
    private static final int MAX_LENGTH = 4000;

    private static final int MAX_WRITTEN_OUT = 64_000;

    private final Pattern pattern;
    private final List<Group> groups;

    /**
     * A group that is a column.
     *
     * @param number the group's number
     * @param column the column's name
     * @param isNumber whether a text that is a number becomes one
     */
    public record Group(int number, String column, boolean isNumber) {}

    private ColumnPattern(Pattern pattern, List<Group> groups) {
        this.pattern = pattern;
        this.groups =
                groups.stream().sorted(Comparator.comparingInt(Group::number)).toList();
    }

    /**
     * A pattern of a parse step.
     *
     * @throws IllegalArgumentException with a message for the user, if it is malformed, too large, or names no columns
     */
    public static ColumnPattern of(Step.Parse.Format format, String text) {
        ColumnPattern made = format == Step.Parse.Format.GROK ? grok(text) : regex(text);
        if (made.groups.isEmpty()) {
            throw new IllegalArgumentException("The pattern '%s' names no columns".formatted(Steps.shortened(text)));
        }
        made.groups.forEach(group -> Steps.requireColumn(group.column()));
        return made;
    }

    private static ColumnPattern regex(String text) {
        Pattern pattern = compile(text);
        List<Group> groups = new ArrayList<>();
        pattern.namedGroups().forEach((name, number) -> groups.add(new Group(number, name, false)));
        return new ColumnPattern(pattern, groups);
    }

    private static ColumnPattern grok(String text) {
        requireLength(text);
        Grok grok = new Grok(MAX_WRITTEN_OUT);
        String regex = grok.writtenOut(text);
        Pattern pattern = compiled(regex, text);
        Map<String, Group> byName = new HashMap<>(grok.groups());
        List<Group> groups = new ArrayList<>();
        pattern.namedGroups().forEach((name, number) -> {
            Group made = byName.getOrDefault(name, new Group(0, name, false));
            groups.add(new Group(number, made.column(), made.isNumber()));
        });
        return new ColumnPattern(pattern, groups);
    }

    /**
     * Compiles a regular expression in RE2's syntax.
     *
     * @throws IllegalArgumentException with a message for the user, if it is malformed or too large
     */
    public static Pattern compile(String text) {
        requireLength(text);
        return compiled(text, text);
    }

    private static void requireLength(String text) {
        if (text.isEmpty() || text.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("A pattern has 1 to %d characters".formatted(MAX_LENGTH));
        }
        Steps.requireUnicode(text);
    }

    private static Pattern compiled(String regex, String text) {
        try {
            return Regex.compile(regex, 0);
        } catch (PatternSyntaxException e) {
            String part = e.getPattern().isEmpty() ? "" : ": " + Steps.shortened(e.getPattern());
            throw new IllegalArgumentException(
                    "The pattern '%s' is malformed: %s%s".formatted(Steps.shortened(text), e.getDescription(), part),
                    e);
        }
    }

    /** The groups that are columns, by their numbers. Several may be of one column. */
    public List<Group> groups() {
        return groups;
    }

    /** A matcher of a text. */
    public Matcher matcher(CharSequence text) {
        return pattern.matcher(text);
    }
}
