package io.cordwood.search.logql;

import io.cordwood.search.logql.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Cuts a query into tokens. Not thread-safe. */
final class Lexer {
    private static final List<String> SYMBOLS = List.of(
            "|=", "|~", "|>", "!=", "!~", "!>", "=~", "==", ">=", "<=", "{", "}", "(", ")", ",", "=", "|", ">", "<",
            "+", "-", "*", "/", "%", "^");
    private static final String DURATION_CHARACTERS = "nuµμmshdwy.";
    private static final String SIZE_CHARACTERS = "BikKMGTP.";

    private final String query;
    private final List<Token> tokens = new ArrayList<>();
    private int at;

    private Lexer(String query) {
        this.query = query;
    }

    /** The tokens of a query, the last of which is {@link Kind#END}. */
    static List<Token> tokens(String query) {
        Lexer lexer = new Lexer(query);
        lexer.skipSpace();
        while (lexer.at < query.length()) {
            lexer.next();
            lexer.skipSpace();
        }
        lexer.add(Kind.END, "", 0, query.length());
        return List.copyOf(lexer.tokens);
    }

    private void skipSpace() {
        while (at < query.length() && (Character.isWhitespace(query.charAt(at)) || query.charAt(at) == '#')) {
            if (query.charAt(at) == '#') {
                int end = query.indexOf('\n', at);
                at = end < 0 ? query.length() : end;
            } else {
                at++;
            }
        }
    }

    private void next() {
        int begin = at;
        char c = query.charAt(at);
        if (isLetter(c)) {
            at = end(begin, Lexer::isLetterOrDigit);
            add(Kind.WORD, query.substring(begin, at), 0, begin);
        } else if (isDigit(c) || (c == '.' && at + 1 < query.length() && isDigit(query.charAt(at + 1)))) {
            number(begin);
        } else if (c == '"' || c == '`') {
            StringLiteral literal = StringLiteral.read(query, at);
            at = literal.end();
            add(Kind.STRING, literal.text(), 0, begin);
        } else if (c == '[') {
            range(begin);
        } else if (query.startsWith("--", at) && at + 2 < query.length() && isLetter(query.charAt(at + 2))) {
            at = end(begin + 2, other -> isLetter(other) || other == '-');
            add(Kind.FLAG, query.substring(begin, at), 0, begin);
        } else {
            symbol(begin);
        }
    }

    private void symbol(int begin) {
        String symbol = SYMBOLS.stream()
                .filter(candidate -> query.startsWith(candidate, begin))
                .findFirst()
                .orElseThrow(() -> error(
                        begin, "unexpected character '%s'".formatted(Character.toString(query.codePointAt(begin)))));
        at += symbol.length();
        add(Kind.SYMBOL, symbol, 0, begin);
    }

    private void range(int begin) {
        int end = query.indexOf(']', begin);
        if (end < 0) {
            throw error(begin, "the range begins with '[' but has no ']'");
        }
        String text = query.substring(begin + 1, end).strip();
        requireLength(begin, text.length(), "the range");
        OptionalLong nanos = Units.nanos(text);
        if (nanos.isEmpty() || nanos.getAsLong() <= 0) {
            throw error(begin, "'%s' is no range: use a positive duration such as 5m".formatted(text));
        }
        at = end + 1;
        add(Kind.RANGE, text, (double) nanos.getAsLong(), begin);
    }

    private void number(int begin) {
        int duration = end(begin, c -> isDigit(c) || DURATION_CHARACTERS.indexOf(c) >= 0);
        int size = end(begin, c -> isDigit(c) || SIZE_CHARACTERS.indexOf(c) >= 0);
        int plain = numberEnd(begin);
        requireLength(begin, Math.max(plain, Math.max(duration, size)) - begin, "the number");
        OptionalLong nanos = Units.nanos(query.substring(begin, duration));
        OptionalDouble bytes = Units.bytes(query.substring(begin, size));
        if (nanos.isPresent() && duration > plain) {
            at = duration;
            add(Kind.DURATION, query.substring(begin, at), (double) nanos.getAsLong(), begin);
        } else if (bytes.isPresent() && size > plain) {
            at = size;
            add(Kind.BYTES, query.substring(begin, at), bytes.getAsDouble(), begin);
        } else {
            at = plain;
            add(Kind.NUMBER, query.substring(begin, at), parse(begin, query.substring(begin, at)), begin);
        }
    }

    private void requireLength(int begin, int length, String what) {
        if (length > Units.MAX_LENGTH) {
            throw error(begin, "%s is longer than %d characters".formatted(what, Units.MAX_LENGTH));
        }
    }

    /** The end of a decimal number, with an exponent if there is one. */
    private int numberEnd(int begin) {
        int end = end(begin, c -> isDigit(c) || c == '.');
        if (end < query.length() && (query.charAt(end) == 'e' || query.charAt(end) == 'E')) {
            int digits = end + 1;
            if (digits < query.length() && (query.charAt(digits) == '+' || query.charAt(digits) == '-')) {
                digits++;
            }
            int exponent = end(digits, Lexer::isDigit);
            return exponent > digits ? exponent : end;
        }
        return end;
    }

    private double parse(int begin, String number) {
        try {
            return Double.parseDouble(number);
        } catch (NumberFormatException e) {
            throw LogQlException.at(query, begin, "'%s' is no number".formatted(number), e);
        }
    }

    @FunctionalInterface
    private interface CharacterTest {
        boolean test(char c);
    }

    private int end(int begin, CharacterTest isPart) {
        int end = begin;
        while (end < query.length() && isPart.test(query.charAt(end))) {
            end++;
        }
        return end;
    }

    private void add(Kind kind, String text, double value, int position) {
        tokens.add(new Token(kind, text, value, position));
    }

    private LogQlException error(int position, String problem) {
        return LogQlException.at(query, position, problem);
    }

    private static boolean isLetter(char c) {
        return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isLetterOrDigit(char c) {
        return isLetter(c) || isDigit(c);
    }
}
