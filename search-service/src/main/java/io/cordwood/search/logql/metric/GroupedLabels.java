package io.cordwood.search.logql.metric;

import io.cordwood.search.logql.Grouping;
import java.util.Collection;
import java.util.SortedMap;
import java.util.TreeMap;

/** Chooses labels of series. Stateless. */
final class GroupedLabels {
    private GroupedLabels() {}

    /** The labels of the group that a series belongs to. */
    static SortedMap<String, String> of(Grouping grouping, SortedMap<String, String> labels) {
        return chosen(labels, grouping.labels(), !grouping.without());
    }

    /** The labels of these names, or those of all others. */
    static SortedMap<String, String> chosen(
            SortedMap<String, String> labels, Collection<String> names, boolean keepsNamed) {
        SortedMap<String, String> chosen = new TreeMap<>(labels);
        if (keepsNamed) {
            chosen.keySet().retainAll(names);
        } else {
            chosen.keySet().removeAll(names);
        }
        return chosen;
    }
}
