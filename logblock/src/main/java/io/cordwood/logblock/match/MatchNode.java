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
     * A phrase: adjacent tokens, in order. A single term is a phrase of one token.
     *
     * @param tokens UTF-8 of each token, at least one
     * @param prefix whether the last token is a prefix
     * @param keyword the lower-cased text as written, for comparison with a keyword column's value
     */
    record Phrase(List<byte[]> tokens, boolean prefix, byte[] keyword) implements MatchNode {
        public Phrase {
            tokens = List.copyOf(tokens);
        }

        /**
         * Whether a keyword column's value equals this phrase's text or, for a prefix, begins with it; ignores case.
         */
        public boolean matchesKeyword(byte[] utf8, int from, int to) {
            byte[] value = Tokenizer.lowerCase(utf8, from, to);
            return prefix
                    ? value.length >= keyword.length
                            && Arrays.equals(value, 0, keyword.length, keyword, 0, keyword.length)
                    : Arrays.equals(value, keyword);
        }
    }
}
