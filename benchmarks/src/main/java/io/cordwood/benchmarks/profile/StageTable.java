package io.cordwood.benchmarks.profile;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The mapping of stacks and threads to stages of the work, read from a file. Immutable.
 *
 * <p>A stage is a line {@code [name]}, followed by its rules, one per line:
 *
 * <ul>
 *   <li>{@code within PREFIX}: matches stacks with any frame of this prefix. The first matching rule in the file
 *   decides.
 *   <li>{@code at PREFIX}: the innermost frame that any of these rules matches decides; among the rules that match it,
 *       the first in the file.
 *   <li>{@code thread PREFIX}: matches threads of the JVM itself, which have no Java stack, by their name in the
 *   operating system.
 * </ul>
 *
 * A frame is written {@code package.Class.method}. Lines that begin with {@code #} are comments.
 */
public final class StageTable {
    /** The stage of stacks that match no rule. */
    static final String OTHER = "other";

    private final List<Rule> within = new ArrayList<>();
    private final List<Rule> at = new ArrayList<>();
    private final List<Rule> threads = new ArrayList<>();

    private record Rule(String prefix, String stage) {}

    private StageTable() {}

    /** Reads a table from the resources beside this class. */
    public static StageTable load(String resource) throws IOException {
        try (InputStream in = StageTable.class.getResourceAsStream(resource)) {
            return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    /**
     * Reads a table.
     *
     * @throws IllegalArgumentException if a line is not a stage, a rule or a comment
     */
    static StageTable parse(String text) {
        StageTable table = new StageTable();
        String stage = OTHER;
        for (String line : text.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .toList()) {
            if (line.startsWith("[") && line.endsWith("]")) {
                stage = line.substring(1, line.length() - 1);
            } else {
                String[] rule = line.split(" +", 2);
                table.rules(rule[0]).add(new Rule(rule[1], stage));
            }
        }
        return table;
    }

    private List<Rule> rules(String kind) {
        return switch (kind) {
            case "within" -> within;
            case "at" -> at;
            case "thread" -> threads;
            default -> throw new IllegalArgumentException("no rule: " + kind);
        };
    }

    /**
     * The stage of a stack.
     *
     * @param innermostFirst its frames
     */
    String stage(List<String> innermostFirst) {
        for (Rule rule : within) {
            if (innermostFirst.stream().anyMatch(frame -> frame.startsWith(rule.prefix()))) {
                return rule.stage();
            }
        }
        return innermostFirst.stream()
                .flatMap(frame -> fitting(at, frame).stream())
                .findFirst()
                .orElse(OTHER);
    }

    /** The stage of a thread of the JVM itself; empty for any other. */
    Optional<String> stageOfThread(String name) {
        return fitting(threads, name);
    }

    private static Optional<String> fitting(List<Rule> rules, String text) {
        return rules.stream()
                .filter(rule -> text.startsWith(rule.prefix()))
                .map(Rule::stage)
                .findFirst();
    }
}
