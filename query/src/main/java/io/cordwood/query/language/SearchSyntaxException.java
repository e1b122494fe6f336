package io.cordwood.query.language;

/** Thrown for a text of the search bar that is malformed, or that does not fit the columns of the table. */
public class SearchSyntaxException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final int position;

    /**
     * @param problem what is wrong
     * @param advice what to do
     */
    public SearchSyntaxException(int position, String problem, String advice) {
        super("%s at position %d: %s".formatted(problem, position + 1, advice));
        this.position = position;
    }

    /** Index of the offending UTF-16 unit in the text, from 0. */
    public int position() {
        return position;
    }
}
