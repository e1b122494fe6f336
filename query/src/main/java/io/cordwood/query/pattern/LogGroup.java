package io.cordwood.query.pattern;

import java.util.List;
import java.util.stream.Stream;

/**
 * Lines with one template (Drain, section III.A: log group and log event). The template grows more general with each
 * line that joins. Not thread-safe.
 */
final class LogGroup {
    private final String layout;
    private final String[] template;
    private int wildcards;

    LogGroup(TokenSequence first) {
        layout = first.layout();
        template = first.tokens().toArray(String[]::new);
        wildcards = (int)
                Stream.of(template).filter(Placeholder.ANY.token()::equals).count();
    }

    /**
     * The share of equal tokens (Drain, section III.D, equation 1), of those that are not parameters in both. Two lines
     * that differ only in parameters of known forms have the similarity 1.
     */
    double similarity(List<String> tokens) {
        int equal = 0;
        int compared = 0;
        for (int i = 0; i < template.length; i++) {
            boolean isParameter = TokenSequence.isParameter(template[i]);
            if (isParameter && TokenSequence.isParameter(tokens.get(i))) {
                continue;
            }
            compared++;
            if (!isParameter && template[i].equals(tokens.get(i))) {
                equal++;
            }
        }
        return compared == 0 ? 1 : (double) equal / compared;
    }

    /** Makes the template general enough for a line (Drain, section III.E). */
    void add(List<String> tokens) {
        for (int i = 0; i < template.length; i++) {
            if (covers(template[i], tokens.get(i))) {
                continue;
            }
            boolean isHex = covers(tokens.get(i), template[i]) && tokens.get(i).equals(Placeholder.HEX.token());
            template[i] = isHex ? Placeholder.HEX.token() : Placeholder.ANY.token();
            wildcards += isHex ? 0 : 1;
        }
    }

    /** Whether a line has this template. */
    boolean matches(List<String> tokens) {
        for (int i = 0; i < template.length; i++) {
            if (!covers(template[i], tokens.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** An id of 16 hex digits may happen to have no letter. */
    private static boolean covers(String general, String token) {
        return general.equals(token)
                || general.equals(Placeholder.ANY.token())
                || general.equals(Placeholder.HEX.token()) && token.equals(Placeholder.NUMBER.token());
    }

    /** Number of tokens that may be anything. */
    int wildcards() {
        return wildcards;
    }

    TokenSequence template() {
        return new TokenSequence(layout, List.of(template));
    }
}
