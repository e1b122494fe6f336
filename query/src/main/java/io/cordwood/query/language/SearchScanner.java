package io.cordwood.query.language;

/** Reads words, quoted texts and operators of a search one after the other. Not thread-safe. */
final class SearchScanner {
    private static final char ESCAPE = '\\';

    private final String text;
    private int position;

    SearchScanner(String text) {
        this.text = text;
    }

    /** Index of the next character. */
    int position() {
        return position;
    }

    boolean isAtEnd() {
        return position == text.length();
    }

    /** Whether this character is next. */
    boolean isNext(char c) {
        return !isAtEnd() && text.charAt(position) == c;
    }

    /** Whether one of these characters is next. */
    boolean isNextOf(String characters) {
        return !isAtEnd() && characters.indexOf(text.charAt(position)) >= 0;
    }

    /** Whether a term, a word or a quoted text cannot begin here. */
    boolean isAtEndOfTerm() {
        return isAtEnd() || isNext(')') || Character.isWhitespace(text.charAt(position));
    }

    /** Skips the character if it is next. */
    boolean accept(char c) {
        boolean found = isNext(c);
        if (found) {
            position++;
        }
        return found;
    }

    /** Skips a minus sign that belongs to the term behind it. */
    boolean acceptMinus() {
        if (!accept('-')) {
            return false;
        }
        if (isAtEndOfTerm()) {
            position--;
            return false;
        }
        return true;
    }

    void skipSpace() {
        while (!isAtEnd() && Character.isWhitespace(text.charAt(position))) {
            position++;
        }
    }

    /** Skips white space and, if it is next, the operator. */
    boolean acceptOperator(String operator) {
        if (!isOperatorNext(operator)) {
            return false;
        }
        position += operator.length();
        return true;
    }

    /** Skips white space; whether the operator is next as a word of its own. */
    boolean isOperatorNext(String operator) {
        skipSpace();
        int end = position + operator.length();
        return text.startsWith(operator, position) && (end == text.length() || endsWord(text.charAt(end)));
    }

    private static boolean endsWord(char c) {
        return Character.isWhitespace(c) || c == '(' || c == ')' || c == '"';
    }

    /**
     * Reads a word, which may be empty.
     *
     * @param ends further characters that end it
     */
    SearchWord word(String ends) {
        SearchWord.Builder word = new SearchWord.Builder();
        while (!isAtEnd() && !endsWord(text.charAt(position)) && !isNextOf(ends)) {
            char c = text.charAt(position++);
            if (c == ESCAPE) {
                if (isAtEnd()) {
                    throw new SearchSyntaxException(
                            position - 1, "Nothing follows the backslash", "write \\\\ to search for a backslash");
                }
                word.add(text.charAt(position++));
            } else if (c == '*' || c == '?') {
                word.addWildcard(c);
            } else {
                word.add(c);
            }
        }
        return word.build();
    }

    /** Reads a quoted text. A backslash in it escapes a quote or a backslash, and is itself before others. */
    String quoted() {
        int start = position++;
        StringBuilder quoted = new StringBuilder();
        while (!isAtEnd()) {
            char c = text.charAt(position++);
            if (c == '"') {
                return quoted.toString();
            }
            if (c == ESCAPE && isNextOf("\"\\")) {
                c = text.charAt(position++);
            }
            quoted.append(c);
        }
        throw new SearchSyntaxException(
                start, "The double quote is not closed", "add another one, or write \\\" to search for a quote");
    }
}
