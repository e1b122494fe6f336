package io.cordwood.search.logql;

import java.util.List;

/**
 * A query for lines. Immutable.
 *
 * @param selector conditions on labels, all of which hold; empty for every line
 * @param stages what is done with the lines, in order
 */
public record LogQuery(List<LabelMatcher> selector, List<Stage> stages) implements Expression {
    public LogQuery {
        selector = List.copyOf(selector);
        stages = List.copyOf(stages);
    }
}
