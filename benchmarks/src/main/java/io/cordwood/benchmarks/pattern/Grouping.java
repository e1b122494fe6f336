package io.cordwood.benchmarks.pattern;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.query.pattern.SignatureCounts;
import io.cordwood.query.pattern.Templates;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** How well mined patterns group labelled lines. Stateless. */
final class Grouping {
    private Grouping() {}

    /** The pattern of each line, mined from all of them. */
    static List<String> patterns(List<String> lines) {
        SignatureCounts counts = new SignatureCounts();
        for (String line : lines) {
            byte[] bytes = line.getBytes(UTF_8);
            counts.add(bytes, 0, bytes.length, 0, false);
        }
        Templates templates = counts.mine(() -> {});
        List<String> patterns = new ArrayList<>(lines.size());
        for (String line : lines) {
            byte[] bytes = line.getBytes(UTF_8);
            patterns.add(templates.template(bytes, 0, bytes.length).orElse("other"));
        }
        return patterns;
    }

    /** Grouping accuracy (Zhu et al., ICSE-SEIP 2019): the share of lines whose group has the same lines as a label. */
    static double accuracy(List<String> groups, List<String> labels) {
        Set<BitSet> right = new HashSet<>(lines(labels));
        long lines = lines(groups).stream()
                .filter(right::contains)
                .mapToLong(BitSet::cardinality)
                .sum();
        return (double) lines / groups.size();
    }

    /** The share of lines with the most frequent label of their group. */
    static double purity(List<String> groups, List<String> labels) {
        Map<String, Map<String, Integer>> counts = new HashMap<>();
        for (int i = 0; i < groups.size(); i++) {
            counts.computeIfAbsent(groups.get(i), any -> new HashMap<>()).merge(labels.get(i), 1, Integer::sum);
        }
        long pure = counts.values().stream()
                .mapToLong(group ->
                        group.values().stream().mapToInt(count -> count).max().orElse(0))
                .sum();
        return (double) pure / groups.size();
    }

    private static Collection<BitSet> lines(List<String> groups) {
        Map<String, BitSet> lines = new HashMap<>();
        for (int i = 0; i < groups.size(); i++) {
            lines.computeIfAbsent(groups.get(i), any -> new BitSet()).set(i);
        }
        return lines.values();
    }
}
