package io.cordwood.query.pattern;

import java.util.ArrayList;
import java.util.List;

/**
 * Templates as text for people. Stateless.
 *
 * <p>A list becomes one wildcard, however many members it has: lines whose lists differ in length have different
 * templates in the tree, and the same text here.
 */
final class ShownTemplate {
    private static final int MIN_LIST = 3;

    private ShownTemplate() {}

    /** @param gap what is between the token before and this one */
    private record Part(String gap, String token) {}

    static String of(TokenSequence template) {
        List<Part> parts = new ArrayList<>();
        StringBuilder gap = new StringBuilder();
        int token = 0;
        for (int i = 0; i < template.layout().length(); i++) {
            char c = template.layout().charAt(i);
            if (c == TokenSequence.TOKEN) {
                parts.add(new Part(gap.toString(), template.tokens().get(token++)));
                gap.setLength(0);
            } else {
                gap.append(c);
            }
        }
        StringBuilder text = new StringBuilder();
        int next;
        for (int i = 0; i < parts.size(); i = next) {
            next = listEnd(parts, i);
            text.append(parts.get(i).gap());
            text.append(next > i + 1 ? Placeholder.ANY.token() : parts.get(i).token());
        }
        return TokenSequence.shown(text.append(gap).toString());
    }

    /** The end of the list that begins with a part: two wildcards, or three parameters, with the same in between. */
    private static int listEnd(List<Part> parts, int from) {
        if (!TokenSequence.isParameter(parts.get(from).token()) || from + 1 == parts.size()) {
            return from + 1;
        }
        String separator = parts.get(from + 1).gap();
        if (!separator.chars().allMatch(c -> c == ' ' || c == ',' || c == ';')) {
            return from + 1;
        }
        int end = from + 1;
        boolean isAny = parts.get(from).token().equals(Placeholder.ANY.token());
        while (end < parts.size()
                && parts.get(end).gap().equals(separator)
                && TokenSequence.isParameter(parts.get(end).token())) {
            isAny &= parts.get(end).token().equals(Placeholder.ANY.token());
            end++;
        }
        return end - from >= MIN_LIST || isAny ? end : from + 1;
    }
}
