package io.cordwood.search.logql;

/**
 * A token of a query.
 *
 * @param text its characters; of a string, those it stands for
 * @param value of a number the number, of a duration nanoseconds, of a size bytes; otherwise 0
 * @param position index of its first character in the query
 */
record Token(Kind kind, String text, double value, int position) {
    enum Kind {
        WORD,
        STRING,
        NUMBER,
        DURATION,
        BYTES,
        /** A duration in square brackets. */
        RANGE,
        /** A flag of a parser, such as {@code --strict}. */
        FLAG,
        SYMBOL,
        END
    }

    boolean isSymbol(String symbol) {
        return kind == Kind.SYMBOL && text.equals(symbol);
    }

    boolean isWord(String word) {
        return kind == Kind.WORD && text.equalsIgnoreCase(word);
    }

    /** The token for messages. */
    String shown() {
        return switch (kind) {
            case END -> "the end of the query";
            case STRING -> "the string \"%s\"".formatted(text);
            case RANGE -> "[%s]".formatted(text);
            default -> "'%s'".formatted(text);
        };
    }
}
