package io.cordwood.query.pattern;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Splits groups at wildcards that have few values, all of letters: such a token is no parameter but tells what
 * happened, as {@code started} and {@code stopped} in lines that are otherwise the same. Stateless.
 *
 * <p>The general group stays, for lines that are not among those mined.
 */
final class GroupSplitter {
    /** A wildcard with more values is a parameter. */
    private static final int MAX_VALUES = 3;

    private GroupSplitter() {}

    /**
     * Splits groups.
     *
     * @param lines gives all lines to a consumer, in an order that depends on the lines alone
     */
    static List<LogGroup> split(List<LogGroup> groups, Consumer<Consumer<TokenSequence>> lines) {
        Templates templates = new Templates(groups);
        Map<LogGroup, Map<Integer, Set<String>>> fewValues = new HashMap<>();
        lines.accept(line -> templates
                .match(line)
                .ifPresent(group ->
                        collect(fewValues.computeIfAbsent(group, any -> wildcards(any.template())), line.tokens())));
        fewValues.values().removeIf(Map::isEmpty);
        Map<LogGroup, Set<TokenSequence>> special = new HashMap<>();
        lines.accept(line -> templates
                .match(line)
                .filter(fewValues::containsKey)
                .ifPresent(group -> special.computeIfAbsent(group, any -> new LinkedHashSet<>())
                        .add(specialize(group.template(), fewValues.get(group).keySet(), line.tokens()))));
        return Stream.concat(
                        groups.stream(),
                        groups.stream()
                                .flatMap(group -> special.getOrDefault(group, Set.of()).stream())
                                .map(LogGroup::new))
                .limit(ParseTree.MAX_GROUPS)
                .toList();
    }

    private static Map<Integer, Set<String>> wildcards(TokenSequence template) {
        Map<Integer, Set<String>> values = new TreeMap<>();
        for (int i = 0; i < template.tokens().size(); i++) {
            if (template.tokens().get(i).equals(Placeholder.ANY.token())) {
                values.put(i, new HashSet<>());
            }
        }
        return values;
    }

    /** Adds the values of a line; removes wildcards that have too many, or one that is not of letters. */
    private static void collect(Map<Integer, Set<String>> values, List<String> tokens) {
        values.entrySet().removeIf(wildcard -> {
            String token = tokens.get(wildcard.getKey());
            wildcard.getValue().add(token);
            return wildcard.getValue().size() > MAX_VALUES || !isOfLetters(token);
        });
    }

    private static boolean isOfLetters(String token) {
        return token.chars()
                .allMatch(c -> c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 && !Placeholder.isCode(c));
    }

    private static TokenSequence specialize(TokenSequence template, Set<Integer> wildcards, List<String> tokens) {
        List<String> special = new ArrayList<>(template.tokens());
        wildcards.forEach(i -> special.set(i, tokens.get(i)));
        return new TokenSequence(template.layout(), special);
    }
}
