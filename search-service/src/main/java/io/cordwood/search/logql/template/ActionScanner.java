package io.cordwood.search.logql.template;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.Optional;

/** Cuts what is between the braces of an action into words, labels and constants. Not thread-safe. */
final class ActionScanner {
    private static final Pattern NAME = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_]*");
    private static final Pattern LABEL = Pattern.compile("\\.([a-zA-Z_][a-zA-Z0-9_]*)");
    private static final Pattern NUMBER = Pattern.compile("[-+]?[0-9]+(\\.[0-9]+)?");
    private static final Pattern QUOTED = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"|`([^`]*)`");

    private final String text;
    private int at;

    ActionScanner(String text) {
        this.text = text;
        skipSpace();
    }

    /** Where an action ends: its closing braces outside of quotes; -1 if it has none. */
    static int end(String template, int from) {
        int at = from;
        while (at < template.length() && !template.startsWith("}}", at)) {
            char c = template.charAt(at);
            if (c == '"' || c == '`') {
                at++;
                while (at < template.length() && template.charAt(at) != c) {
                    at += c == '"' && template.charAt(at) == '\\' ? 2 : 1;
                }
            }
            at++;
        }
        return at < template.length() ? at : -1;
    }

    private void skipSpace() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    boolean isEnd() {
        return at >= text.length();
    }

    boolean isComment() {
        return text.startsWith("/*", at) && text.stripTrailing().endsWith("*/");
    }

    void requireEnd() {
        if (!isEnd()) {
            throw new TemplateException("'%s' is unexpected".formatted(rest()));
        }
    }

    /** What is left. */
    String rest() {
        return text.substring(at).strip();
    }

    boolean is(String symbol) {
        return text.startsWith(symbol, at);
    }

    boolean take(String symbol) {
        if (!is(symbol)) {
            return false;
        }
        at += symbol.length();
        skipSpace();
        return true;
    }

    boolean isWord(String word) {
        return next(NAME).filter(found -> found.group().equals(word)).isPresent();
    }

    boolean takeWord(String word) {
        return isWord(word) && take(word);
    }

    private Optional<Matcher> next(Pattern pattern) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find(at) && matcher.start() == at ? Optional.of(matcher) : Optional.empty();
    }

    private Optional<Matcher> taken(Pattern pattern) {
        Optional<Matcher> found = next(pattern);
        found.ifPresent(matcher -> take(matcher.group()));
        return found;
    }

    /** A function's name. */
    Optional<String> takeName() {
        return taken(NAME).map(Matcher::group);
    }

    /** A label behind a dot. */
    Optional<String> takeLabel() {
        return taken(LABEL).map(found -> found.group(1));
    }

    /** A number or a text in quotes. */
    Optional<Value> takeConstant() {
        Optional<Matcher> number = taken(NUMBER);
        if (number.isPresent()) {
            return number.map(found -> found.group(1) == null
                    ? new Value.Whole(whole(found.group()))
                    : new Value.Fraction(Double.parseDouble(found.group())));
        }
        return taken(QUOTED)
                .map(found -> new Value.Text(found.group(2) != null ? found.group(2) : unescaped(found.group(1))));
    }

    private static long whole(String digits) {
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException e) {
            throw new TemplateException("'%s' is too large".formatted(digits));
        }
    }

    private static String unescaped(String quoted) {
        try {
            return quoted.translateEscapes();
        } catch (IllegalArgumentException e) {
            throw new TemplateException("\"%s\" has an escape that is not supported".formatted(quoted));
        }
    }
}
