package io.cordwood.query.pattern;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Merges groups whose templates differ in one token only, if that token has many values: it is a parameter. So
 * parameters are found that the tree takes for constants, because they come first in a line, or because a line has few
 * other tokens. Stateless.
 */
final class GroupMerger {
    /** A token with so many values is a parameter. */
    private static final int MIN_VALUES = 10;

    private GroupMerger() {}

    /**
     * Merges groups.
     *
     * @param check runs often meanwhile; what it throws ends the work
     */
    static List<LogGroup> merge(List<LogGroup> groups, Runnable check) {
        Map<String, List<TokenSequence>> byLayout = new LinkedHashMap<>();
        for (LogGroup group : groups) {
            TokenSequence template = group.template();
            byLayout.computeIfAbsent(template.layout(), any -> new ArrayList<>())
                    .add(template);
        }
        return byLayout.values().stream()
                .map(templates -> mergeSameLayout(templates, check))
                .flatMap(List::stream)
                .map(LogGroup::new)
                .toList();
    }

    private static List<TokenSequence> mergeSameLayout(List<TokenSequence> templates, Runnable check) {
        List<TokenSequence> merged = templates;
        int before;
        do {
            before = merged.size();
            for (int token = 0; token < merged.getFirst().tokens().size() && merged.size() >= MIN_VALUES; token++) {
                check.run();
                merged = mergeToken(merged, token);
            }
        } while (merged.size() < before);
        return merged;
    }

    /** Merges templates that are the same without a token. */
    private static List<TokenSequence> mergeToken(List<TokenSequence> templates, int token) {
        Map<TokenSequence, List<TokenSequence>> byOthers = new LinkedHashMap<>();
        for (TokenSequence template : templates) {
            List<String> tokens = new ArrayList<>(template.tokens());
            tokens.set(token, Placeholder.ANY.token());
            byOthers.computeIfAbsent(new TokenSequence(template.layout(), tokens), any -> new ArrayList<>())
                    .add(template);
        }
        List<TokenSequence> merged = new ArrayList<>();
        byOthers.forEach((general, special) -> {
            boolean isOne = special.size() >= MIN_VALUES && hasConstant(general.tokens());
            merged.addAll(isOne ? List.of(general) : special);
        });
        return merged;
    }

    private static boolean hasConstant(Collection<String> tokens) {
        return !tokens.stream().allMatch(TokenSequence::isParameter);
    }
}
