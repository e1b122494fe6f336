package io.cordwood.logblock.match;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A matcher that finds a phrase of ASCII tokens in values without tokenising them: it searches for the longest token
 * (Horspool's algorithm, ignoring case), then compares the text around it. It tokenises a value only if characters
 * beyond ASCII could matter. Not thread-safe.
 */
public final class PhraseMatcher implements ValueMatcher {
    private static final int BYTES = 256;

    /** The result of comparing the phrase at a position of a value. */
    private enum Verdict {
        YES,
        NO,
        /** A character beyond ASCII decides, so the value must be tokenised. */
        TOKENISE
    }

    private final List<byte[]> tokens;
    private final boolean prefix;
    private final int pivot;
    private final byte[] pivotToken;
    private final int[] shifts = new int[BYTES];
    private final boolean writtenOnlyInAscii;
    private final TextMatcher tokenised;

    private PhraseMatcher(MatchNode.Phrase phrase) {
        this.tokens = phrase.tokens();
        this.prefix = phrase.prefix();
        this.pivot = IntStream.range(0, tokens.size())
                .boxed()
                .max(Comparator.comparingInt(i -> tokens.get(i).length))
                .orElseThrow();
        this.pivotToken = tokens.get(pivot);
        this.writtenOnlyInAscii = IntStream.range(0, pivotToken.length).noneMatch(i -> isLowerOfOthers(pivotToken[i]));
        this.tokenised = new TextMatcher(phrase);
        int length = pivotToken.length;
        Arrays.fill(shifts, length);
        for (int i = 0; i < length - 1; i++) {
            for (int b = 0; b < 128; b++) {
                if (Tokenizer.asciiLower((byte) b) == pivotToken[i]) {
                    shifts[b] = length - 1 - i;
                }
            }
        }
    }

    /** The fastest matcher of a phrase. */
    public static ValueMatcher of(MatchNode.Phrase phrase) {
        boolean quick = phrase.tokens().stream()
                .allMatch(token -> token.length < Tokenizer.MAX_CODE_POINTS && isAscii(token, 0, token.length));
        return quick ? new PhraseMatcher(phrase) : new TextMatcher(phrase);
    }

    /** Whether this is the lower case of a character beyond ASCII: I with a dot, the Kelvin sign. */
    private static boolean isLowerOfOthers(byte lower) {
        return lower == 'i' || lower == 'k';
    }

    private static boolean isAscii(byte[] utf8, int from, int to) {
        int all = 0;
        for (int i = from; i < to; i++) {
            all |= utf8[i];
        }
        return all >= 0;
    }

    @Override
    public boolean matches(byte[] utf8, int from, int to) {
        int last = pivotToken.length - 1;
        int at = from + last;
        while (at < to) {
            int i = 0;
            while (i <= last && lower(utf8[at - i]) == pivotToken[last - i]) {
                i++;
            }
            if (i > last) {
                Verdict verdict = around(utf8, from, to, at - last);
                if (verdict != Verdict.NO) {
                    return verdict == Verdict.YES || tokenised.matches(utf8, from, to);
                }
            }
            at += shifts[utf8[at] & 0xFF];
        }
        return !writtenOnlyInAscii && !isAscii(utf8, from, to) && tokenised.matches(utf8, from, to);
    }

    /** Lower case of an ASCII token character; 0 for others. */
    private static byte lower(byte b) {
        return b < 0 ? 0 : Tokenizer.asciiLower(b);
    }

    /** Compares the phrase around its longest token, which begins at {@code start}. */
    private Verdict around(byte[] utf8, int from, int to, int start) {
        Verdict verdict = startsToken(utf8, from, start);
        int p = start;
        for (int i = pivot - 1; i >= 0 && verdict == Verdict.YES; i--) {
            while (p > from && utf8[p - 1] >= 0 && lower(utf8[p - 1]) == 0) {
                p--;
            }
            byte[] token = tokens.get(i);
            if (p > from && utf8[p - 1] < 0) {
                return Verdict.TOKENISE;
            }
            int end = p;
            p -= token.length;
            verdict = p >= from && equals(utf8, p, token)
                    ? startsToken(utf8, from, p)
                    : tokenise(utf8, Math.max(from, p), end);
        }
        p = start + pivotToken.length;
        for (int i = pivot; verdict == Verdict.YES; i++) {
            boolean isLast = i == tokens.size() - 1;
            if (isLast && prefix) {
                return Verdict.YES;
            }
            verdict = endsToken(utf8, to, p);
            if (isLast || verdict != Verdict.YES) {
                return verdict;
            }
            while (p < to && utf8[p] >= 0 && lower(utf8[p]) == 0) {
                p++;
            }
            if (p < to && utf8[p] < 0) {
                return Verdict.TOKENISE;
            }
            byte[] token = tokens.get(i + 1);
            if (p + token.length > to || !equals(utf8, p, token)) {
                return tokenise(utf8, p, Math.min(to, p + token.length));
            }
            p += token.length;
        }
        return verdict;
    }

    /** Decides by the characters: a token that differs in ASCII may still be equal beyond it. */
    private static Verdict tokenise(byte[] utf8, int from, int to) {
        return isAscii(utf8, from, to) ? Verdict.NO : Verdict.TOKENISE;
    }

    private static boolean equals(byte[] utf8, int at, byte[] token) {
        for (int i = 0; i < token.length; i++) {
            if (lower(utf8[at + i]) != token[i]) {
                return false;
            }
        }
        return true;
    }

    private static Verdict startsToken(byte[] utf8, int from, int at) {
        return at == from ? Verdict.YES : boundary(utf8[at - 1]);
    }

    private static Verdict endsToken(byte[] utf8, int to, int at) {
        return at == to ? Verdict.YES : boundary(utf8[at]);
    }

    private static Verdict boundary(byte neighbour) {
        if (neighbour < 0) {
            return Verdict.TOKENISE;
        }
        return lower(neighbour) == 0 ? Verdict.YES : Verdict.NO;
    }
}
