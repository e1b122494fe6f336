package io.cordwood.logblock.match;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Objects;

/**
 * A parsed query of {@code match(column, 'query')}: terms, phrases and prefixes joined by AND, OR and NOT. Immutable.
 *
 * <p>Adjacent terms are ANDed; {@code OR} binds weaker, {@code NOT} negates, parentheses group; {@code "a phrase"}
 * matches adjacent tokens, and {@code pref*} matches a token with this prefix. A term that the {@link Tokenizer} cuts
 * into several tokens is a phrase.
 */
public final class MatchQuery {
    private final String text;
    private final MatchNode root;

    private MatchQuery(String text, MatchNode root) {
        this.text = text;
        this.root = root;
    }

    /**
     * Parses a query.
     *
     * @throws MatchSyntaxException if the query is malformed or has no token; the message says where
     */
    public static MatchQuery parse(String query) {
        return new MatchQuery(query, new MatchParser(query).parse());
    }

    public MatchNode root() {
        return root;
    }

    /** Whether the value of a text column matches. */
    public boolean matchesText(String value) {
        byte[] bytes = value.getBytes(UTF_8);
        return textMatcher().matches(bytes, 0, bytes.length);
    }

    /** Whether the value of a keyword column, which is one token, matches; ignores case. */
    public boolean matchesKeyword(String value) {
        byte[] bytes = value.getBytes(UTF_8);
        return keywordMatcher().matches(bytes, 0, bytes.length);
    }

    /** A matcher for many values of a text column. Not thread-safe. */
    public ValueMatcher textMatcher() {
        return new TextMatcher(root);
    }

    /** A matcher for many values of a keyword column. */
    public ValueMatcher keywordMatcher() {
        return (utf8, from, to) -> matchesKeyword(root, utf8, from, to);
    }

    private static boolean matchesKeyword(MatchNode node, byte[] utf8, int from, int to) {
        return switch (node) {
            case MatchNode.And and -> and.terms().stream().allMatch(term -> matchesKeyword(term, utf8, from, to));
            case MatchNode.Or or -> or.terms().stream().anyMatch(term -> matchesKeyword(term, utf8, from, to));
            case MatchNode.Not not -> !matchesKeyword(not.term(), utf8, from, to);
            case MatchNode.Phrase phrase -> phrase.matchesKeyword(utf8, from, to);
        };
    }

    /** Two queries are equal if their texts are. */
    @Override
    public boolean equals(Object other) {
        return other instanceof MatchQuery query && query.text.equals(text);
    }

    @Override
    public int hashCode() {
        return Objects.hash(text);
    }

    /** The text of the query. */
    @Override
    public String toString() {
        return text;
    }
}
