package io.cordwood.search.loki;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads regular expressions that are alternatives of literals. Each may have {@code .*} at its ends. Stateless.
 */
final class RegexLiterals {
    private static final String ANY = ".*";
    private static final String META = "\\.+*?()|[]{}^$";

    private RegexLiterals() {}

    /**
     * An alternative.
     *
     * @param anyBefore whether anything may stand before the literal
     * @param anyAfter whether anything may stand behind it
     */
    record Alternative(String literal, boolean anyBefore, boolean anyAfter) {}

    /** The alternatives; empty if the expression is something else. */
    static Optional<List<Alternative>> of(String regex) {
        List<Alternative> alternatives = new ArrayList<>();
        for (String part : regex.split("\\|", -1)) {
            boolean before = part.startsWith(ANY);
            String rest = before ? part.substring(ANY.length()) : part;
            boolean after = rest.endsWith(ANY) && !rest.endsWith("\\" + ANY);
            rest = after ? rest.substring(0, rest.length() - ANY.length()) : rest;
            Optional<String> literal = literal(rest);
            if (literal.isEmpty()) {
                return Optional.empty();
            }
            alternatives.add(new Alternative(literal.get(), before, after));
        }
        return Optional.of(alternatives);
    }

    private static Optional<String> literal(String part) {
        StringBuilder literal = new StringBuilder();
        for (int i = 0; i < part.length(); i++) {
            char c = part.charAt(i);
            if (c == '\\' && i + 1 < part.length() && isPunctuation(part.charAt(i + 1))) {
                i++;
                literal.append(part.charAt(i));
            } else if (META.indexOf(c) >= 0) {
                return Optional.empty();
            } else {
                literal.append(c);
            }
        }
        return Optional.of(literal.toString());
    }

    private static boolean isPunctuation(char c) {
        return c < 128 && !Character.isLetterOrDigit(c) && c > ' ';
    }
}
