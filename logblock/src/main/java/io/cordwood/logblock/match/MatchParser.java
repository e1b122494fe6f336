package io.cordwood.logblock.match;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A recursive-descent parser of the grammar
 *
 * <pre>
 * query  := and ("OR" and)*
 * and    := factor (["AND"] factor)*
 * factor := "NOT" factor | "(" query ")" | '"' text ["*"] '"' | word ["*"]
 * </pre>
 *
 * The parser skips a word or phrase without a token.
 */
final class MatchParser {
    private static final int MAX_DEPTH = 200;

    private final String query;
    private int position;
    private int depth;

    MatchParser(String query) {
        this.query = query;
    }

    MatchNode parse() {
        Optional<MatchNode> node = or();
        skipSpace();
        if (position < query.length()) {
            throw error(position, "unexpected ')'");
        }
        return node.orElseThrow(() -> error(0, "no token to search for"));
    }

    private Optional<MatchNode> or() {
        List<MatchNode> terms = new ArrayList<>();
        boolean alone = true;
        while (true) {
            int start = position;
            Optional<MatchNode> term = and();
            boolean another = acceptWord("OR");
            alone &= !another;
            if (term.isEmpty() && !alone) {
                throw error(start, "OR needs a term on either side");
            }
            term.ifPresent(terms::add);
            if (!another) {
                break;
            }
        }
        return switch (terms.size()) {
            case 0 -> Optional.empty();
            case 1 -> Optional.of(terms.getFirst());
            default -> Optional.of(new MatchNode.Or(terms));
        };
    }

    private Optional<MatchNode> and() {
        List<MatchNode> terms = new ArrayList<>();
        boolean afterFactor = false;
        while (!atEndOfAnd()) {
            if (acceptWord("AND")) {
                if (!afterFactor || atEndOfAnd()) {
                    throw error(position, "AND needs a term on either side");
                }
                afterFactor = false;
            } else {
                factor().ifPresent(terms::add);
                afterFactor = true;
            }
        }
        return switch (terms.size()) {
            case 0 -> Optional.empty();
            case 1 -> Optional.of(terms.getFirst());
            default -> Optional.of(new MatchNode.And(terms));
        };
    }

    private boolean atEndOfAnd() {
        skipSpace();
        return position == query.length() || query.charAt(position) == ')' || peekWord("OR");
    }

    private Optional<MatchNode> factor() {
        int start = position;
        if (++depth > MAX_DEPTH) {
            throw error(start, "nested deeper than %d".formatted(MAX_DEPTH));
        }
        try {
            if (acceptWord("NOT")) {
                if (atEndOfAnd()) {
                    throw error(start, "NOT needs a term after it");
                }
                MatchNode term = factor().orElseThrow(() -> error(start, "NOT needs a term after it"));
                return Optional.of(new MatchNode.Not(term));
            }
            return switch (query.charAt(position)) {
                case '(' -> group();
                case '"' -> quoted();
                default -> word();
            };
        } finally {
            depth--;
        }
    }

    private Optional<MatchNode> group() {
        int start = position++;
        Optional<MatchNode> inner = or();
        skipSpace();
        if (position == query.length()) {
            throw error(start, "'(' is not closed");
        }
        position++;
        if (inner.isEmpty()) {
            throw error(start, "nothing between '(' and ')'");
        }
        return inner;
    }

    private Optional<MatchNode> quoted() {
        int start = position + 1;
        int close = query.indexOf('"', start);
        if (close < 0) {
            throw error(position, "'\"' is not closed");
        }
        position = close + 1;
        return phrase(start, close);
    }

    private Optional<MatchNode> word() {
        int start = position;
        while (position < query.length() && !isDelimiter(query.charAt(position))) {
            position++;
        }
        return phrase(start, position);
    }

    /** Parses the text {@code query[start .. end)} as a phrase; empty if it has no token. */
    private Optional<MatchNode> phrase(int start, int end) {
        boolean prefix = end > start && query.charAt(end - 1) == '*';
        byte[] text = query.substring(start, prefix ? end - 1 : end).getBytes(UTF_8);
        List<byte[]> tokens = new ArrayList<>();
        Tokenizer tokenizer = new Tokenizer().reset(text, 0, text.length);
        while (tokenizer.next()) {
            tokens.add(tokenizer.copy());
        }
        if (tokens.isEmpty()) {
            return Optional.empty();
        }
        if (prefix && !endsInToken(text)) {
            throw error(end - 1, "'*' must stand right after a token");
        }
        return Optional.of(new MatchNode.Phrase(tokens, prefix, Tokenizer.lowerCase(text, 0, text.length)));
    }

    private static boolean endsInToken(byte[] text) {
        String string = new String(text, UTF_8);
        return UnicodeTables.kind(string.codePointBefore(string.length())) != UnicodeTables.SEPARATOR;
    }

    private boolean acceptWord(String word) {
        if (!peekWord(word)) {
            return false;
        }
        position += word.length();
        return true;
    }

    private boolean peekWord(String word) {
        skipSpace();
        int end = position + word.length();
        return query.startsWith(word, position) && (end == query.length() || isDelimiter(query.charAt(end)));
    }

    private void skipSpace() {
        while (position < query.length() && Character.isWhitespace(query.charAt(position))) {
            position++;
        }
    }

    private static boolean isDelimiter(char c) {
        return Character.isWhitespace(c) || c == '(' || c == ')' || c == '"';
    }

    private MatchSyntaxException error(int at, String problem) {
        return new MatchSyntaxException(query, at, problem);
    }
}
