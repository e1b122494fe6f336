package io.cordwood.gateway.redact;

import static java.util.Objects.requireNonNull;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Finds what a regular expression of the user matches. Thread-safe. */
record PatternDetector(String name, Pattern pattern) implements Detector {
    PatternDetector {
        requireNonNull(name, "name is null");
        requireNonNull(pattern, "pattern is null");
    }

    @Override
    public List<Match> matches(byte[] data, int from, int to) {
        // The text alone, so that anchors mean its ends
        Matcher matcher = pattern.matcher(Arrays.copyOfRange(data, from, to));
        List<Match> matches = new ArrayList<>();
        while (matcher.find()) {
            if (matcher.end() > matcher.start()) {
                matches.add(new Match(from + matcher.start(), from + matcher.end()));
            }
        }
        return matches;
    }
}
