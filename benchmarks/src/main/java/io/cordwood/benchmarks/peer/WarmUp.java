package io.cordwood.benchmarks.peer;

import io.cordwood.benchmarks.data.BenchQuery;
import io.cordwood.benchmarks.report.Percentiles;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs rounds of all queries until Cordwood gets no faster, because the JIT compiles code only after many runs.
 * Stateless.
 */
public final class WarmUp {
    /** Number of rounds that are compared with as many earlier ones. */
    private static final int WINDOW = 5;
    /**
     * A round that takes at least this share of an earlier one counts as equally slow: a server's compilers are busy
     * for thousands of queries.
     */
    private static final double STEADY = 0.97;

    private WarmUp() {}

    /** Runs the rounds and returns their number. */
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

    /** Whether the best of the last rounds is hardly better than the best of the earlier ones. */
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
