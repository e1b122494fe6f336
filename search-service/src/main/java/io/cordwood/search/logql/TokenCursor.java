package io.cordwood.search.logql;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.cordwood.catalog.regex.Regex;
import io.cordwood.search.logql.Token.Kind;
import java.util.List;
import java.util.Optional;

/** A place in the tokens of a query. Not thread-safe. */
final class TokenCursor {
    private static final int MAX_DEPTH = 200;
    private static final int MAX_OPERATORS = 500;
    private static final int MAX_STAGES = 100;

    private final String query;
    private final List<Token> tokens;
    private int at;
    private int depth;
    private int operators;
    private int stages;
    private long regexSize;

    TokenCursor(String query) {
        this.query = query;
        this.tokens = Lexer.tokens(query);
    }

    Token peek() {
        return tokens.get(at);
    }

    /** The token after the next one. */
    Token peekSecond() {
        return tokens.get(Math.min(at + 1, tokens.size() - 1));
    }

    Token take() {
        Token token = tokens.get(at);
        if (token.kind() != Kind.END) {
            at++;
        }
        return token;
    }

    boolean isSymbol(String symbol) {
        return peek().isSymbol(symbol);
    }

    boolean isWord(String word) {
        return peek().isWord(word);
    }

    /** Takes a symbol if it is next. */
    boolean takeSymbol(String symbol) {
        return isSymbol(symbol) && take() != null;
    }

    /** Takes a word if it is next. */
    boolean takeWord(String word) {
        return isWord(word) && take() != null;
    }

    /** Takes a token of a kind if it is next. */
    Optional<Token> takeKind(Kind kind) {
        return peek().kind() == kind ? Optional.of(take()) : Optional.empty();
    }

    void require(String symbol) {
        if (!takeSymbol(symbol)) {
            throw unexpected("'%s'".formatted(symbol));
        }
    }

    Token require(Kind kind, String expected) {
        if (peek().kind() != kind) {
            throw unexpected(expected);
        }
        return take();
    }

    /** Takes the name of a label. */
    String label() {
        return require(Kind.WORD, "the name of a label").text();
    }

    String string() {
        return require(Kind.STRING, "a string in quotes").text();
    }

    /** Takes a number with its sign, if one is next. */
    Optional<Double> number() {
        boolean isSigned = (isSymbol("-") || isSymbol("+")) && peekSecond().kind() == Kind.NUMBER;
        boolean negative = isSigned && take().isSymbol("-");
        return takeKind(Kind.NUMBER).map(token -> negative ? -token.value() : token.value());
    }

    /** Goes one level deeper into parentheses. */
    void enter() {
        depth++;
        if (depth > MAX_DEPTH) {
            throw error(peek(), "the query is nested more than %d levels deep".formatted(MAX_DEPTH));
        }
    }

    void leave() {
        depth--;
    }

    /** Counts an operator, each of which makes the syntax tree deeper. */
    void countOperator() {
        operators++;
        if (operators > MAX_OPERATORS) {
            throw error(peek(), "the query has more than %d operators".formatted(MAX_OPERATORS));
        }
    }

    /** Counts a stage, each of which works on every line. */
    void countStage() {
        stages++;
        if (stages > MAX_STAGES) {
            throw error(peek(), "the query has more than %d stages".formatted(MAX_STAGES));
        }
    }

    /** A regular expression. @throws LogQlException if it is malformed */
    Pattern pattern(Token string, int flags) {
        try {
            Pattern pattern = Regex.compile(string.text(), flags);
            regexSize += Regex.size(string.text());
            if (regexSize > Regex.MAX_SIZE) {
                throw error(string, "the regular expressions of the query are too large together");
            }
            return pattern;
        } catch (PatternSyntaxException e) {
            throw LogQlException.at(
                    query, string.position(), "the regular expression is malformed: " + e.getMessage(), e);
        }
    }

    LogQlException unexpected(String expected) {
        return error(peek(), "unexpected %s, expected %s".formatted(peek().shown(), expected));
    }

    LogQlException error(Token token, String problem) {
        return LogQlException.at(query, token.position(), problem);
    }

    LogQlException unsupported(Token token, String part) {
        return error(token, part + " is not supported");
    }
}
