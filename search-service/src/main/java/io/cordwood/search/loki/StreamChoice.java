package io.cordwood.search.loki;

import io.cordwood.search.http.ApiException;
import io.cordwood.search.logql.LabelMatcher;
import java.util.List;
import java.util.Optional;

/**
 * Chooses the stream that a selector is about: the one that its label {@code stream} selects. A selector without this
 * label is about the only stream, or about {@code logs}. Stateless.
 */
final class StreamChoice {
    /** The label whose value is the name of the stream. */
    static final String LABEL = "stream";

    private static final String DEFAULT = "logs";

    private StreamChoice() {}

    /** The stream among those that the caller reads; empty if none is selected. */
    static Optional<String> of(List<LabelMatcher> selector, List<String> streams) {
        List<LabelMatcher> matchers = selector.stream()
                .filter(matcher -> matcher.label().equals(LABEL))
                .toList();
        List<String> selected = streams.stream()
                .filter(stream -> matchers.stream().allMatch(matcher -> matcher.matches(stream)))
                .toList();
        if (selected.size() <= 1) {
            return selected.stream().findFirst();
        }
        if (matchers.isEmpty() && selected.contains(DEFAULT)) {
            return Optional.of(DEFAULT);
        }
        throw ApiException.invalid("The selector is about the streams %s: choose one, as in {%s=\"%s\"}"
                .formatted(String.join(", ", selected), LABEL, selected.getFirst()));
    }
}
