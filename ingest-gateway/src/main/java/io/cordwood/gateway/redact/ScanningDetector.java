package io.cordwood.gateway.redact;

import java.util.ArrayList;
import java.util.List;

/** A detector that goes through the text, byte by byte. Thread-safe. */
interface ScanningDetector extends Detector {
    /** In a text with more, what is left goes as a whole. */
    int MAX_MATCHES = 200_000;

    /**
     * Finds the first value.
     *
     * @param from where the text begins
     * @param at where the search begins, in the text
     * @param to where the text ends
     */
    Match find(byte[] data, int from, int at, int to);

    @Override
    default List<Match> matches(byte[] data, int from, int to) {
        Match match = find(data, from, from, to);
        if (!match.isFound()) {
            return List.of();
        }
        List<Match> matches = new ArrayList<>();
        while (match.isFound()) {
            if (matches.size() == MAX_MATCHES) {
                matches.add(new Match(match.from(), to));
                break;
            }
            matches.add(match);
            match = find(data, from, match.to(), to);
        }
        return matches;
    }
}
