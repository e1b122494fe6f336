package io.cordwood.search.logql.metric;

import io.cordwood.search.logql.LogQuery;
import io.cordwood.search.logql.line.LogLine;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Where the lines of a query come from. */
public interface LineSource {
    /**
     * Reads the lines of a selector within a time range, and calls the visitor concurrently, in any order. Lines that
     * the stages drop may be missing.
     *
     * @param needs labels that the query refers to
     * @param afterNanos the time after which lines are read
     * @param toNanos the time of the last lines
     */
    void read(LogQuery query, NeededLabels needs, long afterNanos, long toNanos, Consumer<LogLine> visitor);

    /** False if certainly no line of a selector has this label before the stages. */
    default boolean mayHave(LogQuery query, String label) {
        return true;
    }

    /**
     * Counts the lines of a query without reading them, if that is possible.
     *
     * @param by the label by whose value lines are counted; empty for all together
     * @return the numbers of lines at each point, by the value of the label
     */
    default Optional<Map<String, long[]>> count(LogQuery query, Optional<String> by, Windows windows) {
        return Optional.empty();
    }
}
