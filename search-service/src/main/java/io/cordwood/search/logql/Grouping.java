package io.cordwood.search.logql;

import java.util.List;

/**
 * How series are combined. Immutable.
 *
 * @param without whether the labels are those to leave out
 */
public record Grouping(boolean without, List<String> labels) {
    /** All series together. */
    public static final Grouping ALL = new Grouping(false, List.of());

    public Grouping {
        labels = List.copyOf(labels);
    }
}
