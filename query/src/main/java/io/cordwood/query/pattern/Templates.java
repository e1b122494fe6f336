package io.cordwood.query.pattern;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The templates of some lines. Immutable and thread-safe. */
public final class Templates {
    /** Where templates are looked up: by layout, and by the first token if that is constant. */
    private record Key(String layout, String first) {}

    private final Map<Key, List<LogGroup>> groups = new HashMap<>();

    /** @param groups no longer change */
    Templates(List<LogGroup> groups) {
        for (LogGroup group : groups) {
            TokenSequence template = group.template();
            this.groups
                    .computeIfAbsent(new Key(template.layout(), firstConstant(template)), any -> new ArrayList<>())
                    .add(group);
        }
    }

    private static String firstConstant(TokenSequence line) {
        return line.tokens().isEmpty()
                        || TokenSequence.isParameter(line.tokens().getFirst())
                ? ""
                : line.tokens().getFirst();
    }

    /**
     * The template of the line {@code bytes[from .. to)}, as patterns show it; empty if none fits. It masks the line
     * anew: counters are made for many lines.
     */
    public Optional<String> template(byte[] bytes, int from, int to) {
        Masker masker = new Masker();
        masker.mask(bytes, from, to);
        return match(Arrays.copyOf(masker.signature(), masker.length()))
                .map(group -> ShownTemplate.of(group.template()));
    }

    Optional<LogGroup> match(byte[] signature) {
        return match(TokenSequence.of(signature));
    }

    /** The most special group whose template a line has, of equally special ones the oldest; empty if none fits. */
    Optional<LogGroup> match(TokenSequence line) {
        String first = firstConstant(line);
        Optional<LogGroup> exact = match(line, first);
        Optional<LogGroup> general = first.isEmpty() ? Optional.empty() : match(line, "");
        return exact.isEmpty()
                        || general.isPresent()
                                && general.get().wildcards() < exact.get().wildcards()
                ? general
                : exact;
    }

    private Optional<LogGroup> match(TokenSequence line, String first) {
        Optional<LogGroup> best = Optional.empty();
        for (LogGroup group : groups.getOrDefault(new Key(line.layout(), first), List.of())) {
            if ((best.isEmpty() || group.wildcards() < best.get().wildcards()) && group.matches(line.tokens())) {
                best = Optional.of(group);
            }
        }
        return best;
    }
}
