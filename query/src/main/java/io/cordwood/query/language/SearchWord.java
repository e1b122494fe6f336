package io.cordwood.query.language;

import io.cordwood.query.language.SearchValue.Part;
import java.util.ArrayList;
import java.util.List;

/**
 * A word without its escapes.
 *
 * @param text the characters, wildcards included
 * @param parts the parts between wildcards, and the wildcards; neighbours are never both literals or both runs
 */
record SearchWord(String text, List<Part> parts) {
    /** A builder of a word. Not thread-safe. */
    static final class Builder {
        private final StringBuilder text = new StringBuilder();
        private final StringBuilder literal = new StringBuilder();
        private final List<Part> parts = new ArrayList<>();

        void add(char c) {
            text.append(c);
            literal.append(c);
        }

        void addWildcard(char c) {
            text.append(c);
            endLiteral();
            boolean repeats = !parts.isEmpty() && parts.getLast() instanceof Part.AnyRun;
            if (c == '?') {
                parts.add(new Part.AnyOne());
            } else if (!repeats) {
                parts.add(new Part.AnyRun());
            }
        }

        private void endLiteral() {
            if (!literal.isEmpty()) {
                parts.add(new Part.Literal(literal.toString()));
                literal.setLength(0);
            }
        }

        SearchWord build() {
            endLiteral();
            return new SearchWord(text.toString(), List.copyOf(parts));
        }
    }

    boolean hasWildcard() {
        return parts.stream().anyMatch(part -> !(part instanceof Part.Literal));
    }

    SearchValue.Text value() {
        if (!hasWildcard()) {
            return new SearchValue.Exact(text);
        }
        if (parts.size() == 1 && parts.getFirst() instanceof Part.AnyRun) {
            return new SearchValue.Any();
        }
        return parts.size() == 2
                        && parts.getFirst() instanceof Part.Literal(String prefix)
                        && parts.getLast() instanceof Part.AnyRun
                ? new SearchValue.Prefix(prefix)
                : new SearchValue.Pattern(parts);
    }
}
