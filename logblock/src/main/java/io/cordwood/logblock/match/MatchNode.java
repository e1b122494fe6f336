package io.cordwood.logblock.match;

import java.util.Arrays;
import java.util.List;

/** The tree of a {@link MatchQuery}. Immutable. */
public sealed interface MatchNode {
    record And(List<MatchNode> terms) implements MatchNode {
        public And {
            terms = List.copyOf(terms);
        }
    }

    record Or(List<MatchNode> terms) implements MatchNode {
        public Or {
            terms = List.copyOf(terms);
        }
    }

    record Not(MatchNode term) implements MatchNode {}

    /**
     * Tokens next to each other, in order; a single term is a phrase of one token.
     *
     * @param tokens UTF-8 of each token, at least one
     * @param prefix whether the last token may go on
     * @param keyword the lower-cased text as it was written: what a keyword column's value is compared with
     */
    record Phrase(List<byte[]> tokens, boolean prefix, byte[] keyword) implements MatchNode {
        public Phrase {
            tokens = List.copyOf(tokens);
        }

        /** Whether a keyword column's value, compared without case, is or begins with this phrase's text. */
        public boolean matchesKeyword(byte[] utf8, int from, int to) {
            byte[] value = Tokenizer.lowerCase(utf8, from, to);
            return prefix
                    ? value.length >= keyword.length
                            && Arrays.equals(value, 0, keyword.length, keyword, 0, keyword.length)
                    : Arrays.equals(value, keyword);
        }
    }
}
