package io.cordwood.logblock.match;

/** Thrown for a malformed {@code match} query. */
public class MatchSyntaxException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final int position;

    public MatchSyntaxException(String query, int position, String problem) {
        super("match query \"%s\": %s at position %d".formatted(query, problem, position + 1));
        this.position = position;
    }

    /** Index of the offending UTF-16 unit in the query, from 0. */
    public int position() {
        return position;
    }
}
