package io.cordwood.search.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.search.http.RequestFields;

/**
 * Text of at most so many of a model's tokens. Which tokens a text has, only the model knows: here each has three bytes
 * of UTF-8, which is few for prose, and about right for logs. Not thread-safe.
 */
final class TokenBudget {
    private static final String MAX_TOKENS = "max_tokens";
    private static final int MOST_TOKENS = 50_000;

    private static final int LEAST_TOKENS = 500;
    private static final int DEFAULT_TOKENS = 10_000;
    private static final int BYTES_OF_TOKEN = 3;
    /** For what is said after the last line. */
    private static final int RESERVED_TOKENS = 200;

    private final int tokens;
    private final StringBuilder text = new StringBuilder();
    private long bytesLeft;

    private TokenBudget(int tokens) {
        this.tokens = tokens;
        this.bytesLeft = (long) BYTES_OF_TOKEN * (tokens - RESERVED_TOKENS);
    }

    /** The budget that a call asks for. */
    static TokenBudget of(RequestFields arguments) {
        return new TokenBudget(
                arguments.integer(MAX_TOKENS, LEAST_TOKENS, MOST_TOKENS).orElse(DEFAULT_TOKENS));
    }

    static InputSchema describe(InputSchema schema) {
        return schema.integer(
                MAX_TOKENS,
                LEAST_TOKENS,
                MOST_TOKENS,
                DEFAULT_TOKENS,
                "Largest size of the result in tokens, roughly. The result says when it was cut.");
    }

    /** Adds a line if it fits. Returns whether it did. */
    boolean add(String line) {
        long bytes = line.getBytes(UTF_8).length + 1L;
        if (bytes > bytesLeft) {
            return false;
        }
        bytesLeft -= bytes;
        text.append(line).append('\n');
        return true;
    }

    /** The lines, and a last one about them, for which there is always room. */
    String closedBy(String last) {
        return text + last;
    }

    /** What to say about lines that did not fit. */
    String note(boolean isCut) {
        return isCut
                ? " The result was cut at about %,d tokens: ask for less, or raise %s (up to %,d)."
                        .formatted(tokens, MAX_TOKENS, MOST_TOKENS)
                : "";
    }
}
