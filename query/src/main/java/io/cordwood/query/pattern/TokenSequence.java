package io.cordwood.query.pattern;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;

/**
 * A signature, split into tokens (Drain, section II). Immutable. Each byte of the signature is one character here.
 *
 * @param layout what is between the tokens, with {@link #TOKEN} for each of them
 * @param tokens the tokens
 */
record TokenSequence(String layout, List<String> tokens) {
    /** Stands for a token in a layout. No placeholder has this code. */
    static final char TOKEN = 0xFF;

    TokenSequence {
        tokens = List.copyOf(tokens);
    }

    /** Splits a signature: at spaces, brackets, quotes, commas and the like, and at marks that end a word. */
    static TokenSequence of(byte[] signature) {
        String text = new String(signature, ISO_8859_1);
        StringBuilder layout = new StringBuilder();
        List<String> tokens = new ArrayList<>();
        int begin = 0;
        for (int at = 0; at <= text.length(); at++) {
            if (at < text.length() && !isDelimiter(text, at)) {
                continue;
            }
            if (at > begin) {
                tokens.add(text.substring(begin, at));
                layout.append(TOKEN);
            }
            if (at < text.length()) {
                layout.append(text.charAt(at));
            }
            begin = at + 1;
        }
        return new TokenSequence(layout.toString(), tokens);
    }

    private static boolean isDelimiter(String text, int at) {
        char c = text.charAt(at);
        boolean endsWord = c == ':' || c == '.' || c == '!' || c == '?';
        return isDelimiter(c) || (endsWord && (at + 1 == text.length() || isDelimiter(text.charAt(at + 1))));
    }

    private static boolean isDelimiter(char c) {
        return switch (c) {
            case ' ', '=', ',', ';', '(', ')', '[', ']', '{', '}', '<', '>', '"', '\'', '|' -> true;
            default -> false;
        };
    }

    /** Whether a token is a placeholder and nothing else. */
    static boolean isParameter(String token) {
        return token.length() == 1 && Placeholder.isCode(token.charAt(0));
    }

    /** Whether a placeholder is a part of the token. */
    static boolean hasParameter(String token) {
        for (int i = 0; i < token.length(); i++) {
            if (Placeholder.isCode(token.charAt(i))) {
                return true;
            }
        }
        return false;
    }

    /** Characters of signatures as text for people. */
    static String shown(String characters) {
        StringBuilder shown = new StringBuilder();
        int begin = 0;
        for (int at = 0; at <= characters.length(); at++) {
            if (at == characters.length() || Placeholder.isCode(characters.charAt(at))) {
                shown.append(new String(characters.substring(begin, at).getBytes(ISO_8859_1), UTF_8));
                if (at < characters.length()) {
                    shown.append(Placeholder.ofCode(characters.charAt(at)).shown());
                }
                begin = at + 1;
            }
        }
        return shown.toString();
    }
}
