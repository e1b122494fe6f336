package io.cordwood.query.pattern;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The parse tree of fixed depth (He et al., "Drain: An Online Log Parsing Approach with Fixed Depth Tree", ICWS 2017,
 * section III). Lines are first told apart by their layout, which includes their number of tokens, then by their first
 * tokens, and at the leaf by similarity. Bounded; not thread-safe.
 *
 * <p>Its groups depend on the order of the lines, so its caller puts them in one.
 */
final class ParseTree {
    /** The maximum number of groups. */
    static final int MAX_GROUPS = 10_000;

    /** The maximum number of groups of a leaf; further lines join the most similar one. */
    private static final int MAX_GROUPS_OF_LEAF = 200;

    /** First tokens by which lines are told apart (Drain's depth, less two). */
    private static final int DEPTH = 2;

    /** The maximum number of children of a node (Drain's {@code maxChild}). */
    private static final int MAX_CHILDREN = 100;

    /** The similarity from which on a line joins a group (Drain's {@code st}). */
    private static final double MIN_SIMILARITY = 0.7;

    private record Path(String layout, List<String> first) {}

    private final Map<Path, Set<String>> children = new HashMap<>();
    private final Map<Path, List<LogGroup>> leaves = new HashMap<>();
    private final List<LogGroup> groups = new ArrayList<>();

    /** Adds a line to the most similar group, or to a new one. Returns false if there is no room for one. */
    boolean add(TokenSequence line) {
        List<LogGroup> leaf = leaves.computeIfAbsent(path(line), any -> new ArrayList<>());
        Optional<LogGroup> similar = mostSimilar(leaf, line.tokens());
        if (similar.isPresent()) {
            similar.get().add(line.tokens());
            return true;
        }
        if (groups.size() == MAX_GROUPS) {
            return false;
        }
        LogGroup group = new LogGroup(line);
        groups.add(group);
        leaf.add(group);
        return true;
    }

    /** Drain, section III.D: of equally similar groups the most general one, then the oldest. */
    private static Optional<LogGroup> mostSimilar(List<LogGroup> leaf, List<String> tokens) {
        Optional<LogGroup> best = Optional.empty();
        double most = leaf.size() < MAX_GROUPS_OF_LEAF ? MIN_SIMILARITY : 0;
        for (LogGroup group : leaf) {
            double similarity = group.similarity(tokens);
            boolean isBetter = best.isEmpty()
                    ? similarity >= most
                    : similarity > most
                            || similarity == most
                                    && group.wildcards() > best.get().wildcards();
            if (isBetter) {
                best = Optional.of(group);
                most = similarity;
            }
        }
        return best;
    }

    /** The groups, in the order of their first lines. */
    List<LogGroup> groups() {
        return List.copyOf(groups);
    }

    /** The way to the leaf of a line (Drain, section III.C): tokens with parameters, and rare ones, share a child. */
    private Path path(TokenSequence line) {
        List<String> first = new ArrayList<>(DEPTH);
        for (String token :
                line.tokens().subList(0, Math.min(DEPTH, line.tokens().size()))) {
            Path node = new Path(line.layout(), List.copyOf(first));
            Set<String> tokens = children.computeIfAbsent(node, any -> new HashSet<>());
            boolean hasChild = !TokenSequence.hasParameter(token)
                    && (tokens.contains(token) || tokens.size() < MAX_CHILDREN && tokens.add(token));
            first.add(hasChild ? token : Placeholder.ANY.token());
        }
        return new Path(line.layout(), first);
    }
}
