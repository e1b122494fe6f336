package io.cordwood.logblock.match;

import java.util.Arrays;
import java.util.List;

/**
 * A matcher that tokenises a value once and evaluates a query's tree on its tokens. Reuses its buffers; not
 * thread-safe.
 */
public final class TextMatcher implements ValueMatcher {
    private final MatchNode root;
    private final Tokenizer tokenizer = new Tokenizer();
    private byte[] tokens = new byte[1024];
    private int[] starts = new int[128];
    private int count;

    public TextMatcher(MatchNode root) {
        this.root = root;
    }

    @Override
    public boolean matches(byte[] utf8, int from, int to) {
        tokenize(utf8, from, to);
        return evaluate(root);
    }

    private void tokenize(byte[] utf8, int from, int to) {
        count = 0;
        int length = 0;
        tokenizer.reset(utf8, from, to);
        while (tokenizer.next()) {
            if (length + tokenizer.length() > tokens.length) {
                tokens = Arrays.copyOf(tokens, 2 * (length + tokenizer.length()));
            }
            if (count + 2 > starts.length) {
                starts = Arrays.copyOf(starts, 2 * starts.length);
            }
            System.arraycopy(tokenizer.bytes(), 0, tokens, length, tokenizer.length());
            starts[count++] = length;
            length += tokenizer.length();
            starts[count] = length;
        }
    }

    private boolean evaluate(MatchNode node) {
        return switch (node) {
            case MatchNode.And and -> {
                for (MatchNode term : and.terms()) {
                    if (!evaluate(term)) {
                        yield false;
                    }
                }
                yield true;
            }
            case MatchNode.Or or -> {
                for (MatchNode term : or.terms()) {
                    if (evaluate(term)) {
                        yield true;
                    }
                }
                yield false;
            }
            case MatchNode.Not not -> !evaluate(not.term());
            case MatchNode.Phrase phrase -> contains(phrase);
        };
    }

    private boolean contains(MatchNode.Phrase phrase) {
        List<byte[]> expected = phrase.tokens();
        for (int first = 0; first + expected.size() <= count; first++) {
            if (standsAt(first, expected, phrase.prefix())) {
                return true;
            }
        }
        return false;
    }

    private boolean standsAt(int first, List<byte[]> expected, boolean prefix) {
        for (int i = 0; i < expected.size(); i++) {
            byte[] token = expected.get(i);
            int from = starts[first + i];
            int to = starts[first + i + 1];
            if (prefix && i == expected.size() - 1) {
                to = Math.min(to, from + token.length);
            }
            if (!Arrays.equals(tokens, from, to, token, 0, token.length)) {
                return false;
            }
        }
        return true;
    }
}
