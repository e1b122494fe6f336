package io.cordwood.gateway.redact;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.cordwood.logblock.match.Utf8;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds what a regular expression of the user matches. Each match takes time in proportion to the text, but there may
 * be many: once the text was read too often, what is left of it counts as a match. Thread-safe.
 */
record PatternDetector(String name, Pattern pattern) implements Detector {
    /** How often each character may be read. Usual patterns read one two or three times. */
    private static final int MAX_READINGS = 16;

    private static final int MIN_READINGS = 4096;
    private static final int TWO_BYTES = 0x80;
    private static final int THREE_BYTES = 0x800;

    PatternDetector {
        requireNonNull(name, "name is null");
        requireNonNull(pattern, "pattern is null");
    }

    @Override
    public List<Match> matches(byte[] data, int from, int to) {
        boolean isUtf8 = Utf8.isValid(data, from, to);
        CountedText text = new CountedText(new String(data, from, to - from, isUtf8 ? UTF_8 : ISO_8859_1));
        long most = MIN_READINGS + (long) MAX_READINGS * text.length();
        Matcher matcher = pattern.matcher(text);
        List<Match> matches = new ArrayList<>();
        int character = 0;
        int at = from;
        while (matcher.find()) {
            int start = at + bytes(text.text, character, matcher.start(), isUtf8);
            int end = start + bytes(text.text, matcher.start(), matcher.end(), isUtf8);
            if (end > start) {
                matches.add(new Match(start, end));
            }
            character = matcher.end();
            at = end;
            if (text.readings > most) {
                matches.add(new Match(at, to));
                break;
            }
        }
        return matches;
    }

    /** How many bytes these characters have in the data. */
    private static int bytes(String text, int from, int to, boolean isUtf8) {
        if (!isUtf8) {
            return to - from;
        }
        int bytes = 0;
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (c < TWO_BYTES) {
                bytes++;
            } else if (c < THREE_BYTES || Character.isSurrogate(c)) {
                // Two surrogates have four
                bytes += 2;
            } else {
                bytes += 3;
            }
        }
        return bytes;
    }

    /** Counts how often its characters are read. Not thread-safe. */
    private static final class CountedText implements CharSequence {
        private final String text;
        private long readings;

        CountedText(String text) {
            this.text = text;
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            readings++;
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.substring(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
