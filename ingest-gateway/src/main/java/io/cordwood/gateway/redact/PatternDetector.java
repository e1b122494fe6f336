package io.cordwood.gateway.redact;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.cordwood.catalog.regex.CountedText;
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
        String characters = new String(data, from, to - from, isUtf8 ? UTF_8 : ISO_8859_1);
        CountedText text = new CountedText(characters);
        long most = MIN_READINGS + (long) MAX_READINGS * text.length();
        Matcher matcher = pattern.matcher(text);
        List<Match> matches = new ArrayList<>();
        int character = 0;
        int at = from;
        while (matcher.find()) {
            int start = at + bytes(characters, character, matcher.start(), isUtf8);
            int end = start + bytes(characters, matcher.start(), matcher.end(), isUtf8);
            if (end > start) {
                matches.add(new Match(start, end));
            }
            character = matcher.end();
            at = end;
            if (text.reads() > most && at < to) {
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
}
