package io.cordwood.benchmarks.peer;

import io.cordwood.benchmarks.data.BenchQuery;
import io.cordwood.benchmarks.report.Percentiles;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Rounds of all queries until ours gets no faster: what runs only a few times is not compiled yet. Stateless. */
public final class WarmUp {
    /** Rounds that are compared with as many before them. */
    private static final int WINDOW = 5;
    /**
     * A round that takes this share of an earlier one is as slow: a server's compilers are busy for thousands of
     * queries.
     */
    private static final double STEADY = 0.97;

    private WarmUp() {}

    /** Runs rounds and returns how many. */
    public static int run(Peer ours, List<Peer> others, List<BenchQuery> queries, int maxRounds)
            throws IOException, SQLException {
        List<Double> medians = new ArrayList<>();
        while (medians.size() < maxRounds && !isSteady(medians)) {
            double[] millis = new double[queries.size()];
            for (int i = 0; i < millis.length; i++) {
                millis[i] = ours.ask(queries.get(i)).millis();
                for (Peer other : others) {
                    other.ask(queries.get(i));
                }
            }
            medians.add(Percentiles.of(millis).median());
        }
        return medians.size();
    }

    /** Whether the best of the last rounds is hardly better than the best of those before. */
    static boolean isSteady(List<Double> medians) {
        int count = medians.size();
        return count >= 2 * WINDOW
                && best(medians.subList(count - WINDOW, count))
                        > STEADY * best(medians.subList(count - 2 * WINDOW, count - WINDOW));
    }

    private static double best(List<Double> medians) {
        return medians.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    }
}
