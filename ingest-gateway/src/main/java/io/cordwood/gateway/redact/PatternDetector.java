package io.cordwood.gateway.redact;

import static java.util.Objects.requireNonNull;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds what a regular expression of the user matches. Each match is found in time in proportion to the text, which may
 * be read to its end for it. In a text that would be read too often, what is left counts as a match. Thread-safe.
 */
record PatternDetector(String name, Pattern pattern) implements Detector {
    private static final int MAX_READINGS = 64;
    private static final int MIN_BUDGET = 1 << 20;

    PatternDetector {
        requireNonNull(name, "name is null");
        requireNonNull(pattern, "pattern is null");
    }

    @Override
    public List<Match> matches(byte[] data, int from, int to) {
        // The text alone, so that anchors mean its ends
        Matcher matcher = pattern.matcher(Arrays.copyOfRange(data, from, to));
        List<Match> matches = new ArrayList<>();
        long budget = MIN_BUDGET + (long) MAX_READINGS * (to - from);
        int at = 0;
        while (matcher.find()) {
            if (matcher.end() > matcher.start()) {
                matches.add(new Match(from + matcher.start(), from + matcher.end()));
            }
            at = matcher.end();
            budget -= to - from - at;
            if (budget < 0) {
                matches.add(new Match(from + at, to));
                break;
            }
        }
        return matches;
    }
}
