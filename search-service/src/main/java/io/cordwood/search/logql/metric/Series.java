package io.cordwood.search.logql.metric;

import java.util.BitSet;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Numbers at points in time. Immutable by convention.
 *
 * @param labels its labels
 * @param values a number for each point
 * @param present the points that have one
 */
public record Series(SortedMap<String, String> labels, double[] values, BitSet present) {
    public Series {
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }

    /** A series without numbers yet. */
    static Series of(SortedMap<String, String> labels, int points) {
        return new Series(labels, new double[points], new BitSet(points));
    }

    void set(int point, double value) {
        values[point] = value;
        present.set(point);
    }

    Series withLabels(SortedMap<String, String> others) {
        return new Series(others, values, present);
    }
}
