package io.cordwood.search.logql;

import java.util.Map;

/**
 * A string of a query: in double quotes with escapes, or in back quotes without.
 *
 * @param text the characters it stands for
 * @param end index of the character behind it
 */
record StringLiteral(String text, int end) {
    private static final Map<Character, Character> ESCAPES = Map.ofEntries(
            Map.entry('a', '\u0007'),
            Map.entry('b', '\b'),
            Map.entry('f', '\f'),
            Map.entry('n', '\n'),
            Map.entry('r', '\r'),
            Map.entry('t', '\t'),
            Map.entry('v', '\u000b'),
            Map.entry('\\', '\\'),
            Map.entry('\'', '\''),
            Map.entry('"', '"'));

    /** Digits of escapes with a code, by the letter behind the backslash. */
    private static final Map<Character, Integer> HEX_DIGITS = Map.of('x', 2, 'u', 4, 'U', 8);

    private static final int OCTAL_DIGITS = 3;

    /** Reads the string that begins at a character. @throws LogQlException if it is malformed */
    static StringLiteral read(String query, int begin) {
        if (query.charAt(begin) == '`') {
            int end = query.indexOf('`', begin + 1);
            if (end < 0) {
                throw LogQlException.at(query, begin, "the string has no closing `");
            }
            return new StringLiteral(query.substring(begin + 1, end), end + 1);
        }
        StringBuilder text = new StringBuilder();
        int at = begin + 1;
        while (at < query.length() && query.charAt(at) != '"') {
            char c = query.charAt(at);
            if (c == '\n') {
                throw LogQlException.at(query, at, "a string in double quotes ends on its line: write \\n, or use `");
            }
            at = c == '\\' ? escape(query, at, text) : at + 1;
            if (c != '\\') {
                text.append(c);
            }
        }
        if (at >= query.length()) {
            throw LogQlException.at(query, begin, "the string has no closing \"");
        }
        return new StringLiteral(text.toString(), at + 1);
    }

    /** Reads an escape, and returns the index behind it. */
    private static int escape(String query, int at, StringBuilder text) {
        char letter = at + 1 < query.length() ? query.charAt(at + 1) : '\0';
        if (ESCAPES.containsKey(letter)) {
            text.append(ESCAPES.get(letter).charValue());
            return at + 2;
        }
        boolean isOctal = letter >= '0' && letter <= '7';
        int from = isOctal ? at + 1 : at + 2;
        int to = from + (isOctal ? OCTAL_DIGITS : HEX_DIGITS.getOrDefault(letter, 0));
        try {
            if (to > from && to <= query.length()) {
                text.appendCodePoint(Integer.parseInt(query, from, to, isOctal ? 8 : 16));
                return to;
            }
        } catch (IllegalArgumentException e) {
            throw LogQlException.at(query, at, "the escape is no character", e);
        }
        throw LogQlException.at(query, at, "there is no such escape: write \\\\ for a backslash, or use `");
    }
}
