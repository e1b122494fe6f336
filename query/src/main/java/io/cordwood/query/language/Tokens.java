package io.cordwood.query.language;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.logblock.match.Tokenizer;

/** Cuts a text behind its last token. Stateless. */
final class Tokens {
    private Tokens() {}

    /** The text up to the end of its last token; empty if it has none. */
    static String head(String text) {
        int end = text.length();
        while (end > 0 && !isInToken(text.codePointBefore(end))) {
            end -= Character.charCount(text.codePointBefore(end));
        }
        return text.substring(0, end);
    }

    /** The text behind its last token. */
    static String tail(String text) {
        return text.substring(head(text).length());
    }

    private static boolean isInToken(int codePoint) {
        byte[] utf8 = Character.toString(codePoint).getBytes(UTF_8);
        return new Tokenizer().reset(utf8, 0, utf8.length).next();
    }
}
