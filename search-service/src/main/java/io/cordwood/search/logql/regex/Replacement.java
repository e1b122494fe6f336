package io.cordwood.search.logql.regex;

import com.google.re2j.Matcher;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * Replaces what a regular expression matches, as Go does: {@code $1}, {@code ${1}}, {@code $name} and {@code ${name}}
 * are groups, which are empty if there is no such group, and {@code $$} is a dollar sign. Stateless.
 */
public final class Replacement {
    private static final int MAX_DIGITS = 4;

    private Replacement() {}

    /**
     * The text of a matcher with each match replaced.
     *
     * @param isLiteral whether a dollar sign in the replacement has no meaning
     * @param requireLength gets the length, in characters, before the text grows to it; throws if it is too long
     */
    public static String all(
            Matcher matcher, String text, String replacement, boolean isLiteral, LongConsumer requireLength) {
        StringBuilder replaced = new StringBuilder();
        int at = 0;
        while (matcher.find()) {
            append(text.substring(at, matcher.start()), replaced, requireLength);
            // An empty match right behind another one is none
            if (matcher.end() > at || matcher.end() == 0) {
                if (isLiteral) {
                    append(replacement, replaced, requireLength);
                } else {
                    expand(replacement, matcher, replaced, requireLength);
                }
            }
            at = matcher.end();
        }
        append(text.substring(at), replaced, requireLength);
        return replaced.toString();
    }

    /** Appends a replacement with the groups of the current match that it refers to. */
    public static void expand(String replacement, Matcher matcher, StringBuilder out, LongConsumer requireLength) {
        int at = 0;
        for (int dollar = replacement.indexOf('$'); dollar >= 0; dollar = replacement.indexOf('$', at)) {
            append(replacement.substring(at, dollar), out, requireLength);
            boolean isBraced = replacement.startsWith("{", dollar + 1);
            int from = dollar + (isBraced ? 2 : 1);
            int to = from;
            while (to < replacement.length() && isNamePart(replacement.charAt(to))) {
                to++;
            }
            boolean isGroup = to > from && (!isBraced || replacement.startsWith("}", to));
            if (isGroup) {
                append(group(replacement.substring(from, to), matcher), out, requireLength);
                at = to + (isBraced ? 1 : 0);
            } else {
                append("$", out, requireLength);
                at = dollar + (replacement.startsWith("$", dollar + 1) ? 2 : 1);
            }
        }
        append(replacement.substring(at), out, requireLength);
    }

    private static void append(String text, StringBuilder out, LongConsumer requireLength) {
        requireLength.accept((long) out.length() + text.length());
        out.append(text);
    }

    private static boolean isNamePart(char c) {
        return c == '_' || (c < 128 && Character.isLetterOrDigit(c));
    }

    private static String group(String name, Matcher matcher) {
        boolean isNumber = name.length() <= MAX_DIGITS && name.chars().allMatch(Character::isDigit);
        if (isNumber) {
            int number = Integer.parseInt(name);
            return number <= matcher.groupCount()
                    ? Optional.ofNullable(matcher.group(number)).orElse("")
                    : "";
        }
        return Optional.ofNullable(matcher.pattern().namedGroups().get(name))
                .map(matcher::group)
                .orElse("");
    }
}
