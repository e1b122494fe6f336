package io.cordwood.catalog.pipeline;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

/** Checks of steps. Stateless. */
final class Steps {
    private static final int MAX_COLUMN = 255;
    private static final int MAX_SHOWN = 200;

    private Steps() {}

    static void requireColumn(String name) {
        if (name.isBlank() || name.length() > MAX_COLUMN) {
            throw new IllegalArgumentException("The name of a column has 1 to %d characters".formatted(MAX_COLUMN));
        }
        requireUnicode(name);
    }

    /** No database keeps half a surrogate pair. */
    static void requireUnicode(String text) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new IllegalArgumentException("A text is not valid Unicode: it has half a surrogate pair");
        }
    }

    /** Whether an expression matches where there is no character, so that it has a match in nearly every text. */
    static boolean matchesNothing(Pattern pattern) {
        return Stream.of("", "a ").anyMatch(text -> {
            Matcher matcher = pattern.matcher(text);
            while (matcher.find()) {
                if (matcher.start() == matcher.end()) {
                    return true;
                }
            }
            return false;
        });
    }

    /** A text for a message. */
    static String shortened(String text) {
        return text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "...";
    }
}
