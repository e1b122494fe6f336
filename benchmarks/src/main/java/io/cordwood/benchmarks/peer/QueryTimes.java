package io.cordwood.benchmarks.peer;

import io.cordwood.benchmarks.data.BenchQuery;
import io.cordwood.benchmarks.report.PeerRatios;
import io.cordwood.benchmarks.report.Percentiles;
import io.cordwood.benchmarks.report.Report;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Times of queries on the same rows in several layouts, which run alternately; each answer must be right. Not
 * thread-safe.
 */
public final class QueryTimes {
    private final Report report;
    private final List<BenchQuery> queries;
    private final Map<String, Peer> peers;
    private final Map<String, List<Double>> medians = new LinkedHashMap<>();

    public QueryTimes(Report report, List<BenchQuery> queries, Map<String, Peer> peers) {
        this.report = report;
        this.queries = queries;
        this.peers = peers;
    }

    /**
     * Runs all queries.
     *
     * @throws IOException if an answer is wrong, or differs between layouts
     */
    public void measure(int warmUps, int runs) throws IOException, SQLException {
        for (int i = 0; i < warmUps; i++) {
            for (BenchQuery query : queries) {
                ask(query);
            }
        }
        for (BenchQuery query : queries) {
            Map<String, double[]> millis = new LinkedHashMap<>();
            for (int run = 0; run < runs; run++) {
                for (Map.Entry<String, Double> one : ask(query).entrySet()) {
                    millis.computeIfAbsent(one.getKey(), name -> new double[runs])[run] = one.getValue();
                }
            }
            millis.forEach((name, all) -> {
                double median = Percentiles.of(all).median();
                report.add("%s/%s".formatted(query.name(), name), "median_ms", median, "ms");
                medians.computeIfAbsent(name, any -> new ArrayList<>()).add(median);
            });
        }
    }

    private Map<String, Double> ask(BenchQuery query) throws IOException, SQLException {
        Map<String, Double> millis = new LinkedHashMap<>();
        Peer.Answer first = null;
        for (Map.Entry<String, Peer> peer : peers.entrySet()) {
            Peer.Run run = peer.getValue().ask(query);
            if (!query.isRight(run.answer().rows()) || first != null && !first.equals(run.answer())) {
                throw new IOException("%s %s: %d rows, expected %d, or other rows than %s"
                        .formatted(
                                query.name(),
                                peer.getKey(),
                                run.answer().rows(),
                                query.expected(),
                                peers.keySet().iterator().next()));
            }
            first = run.answer();
            millis.put(peer.getKey(), run.millis());
        }
        return millis;
    }

    /**
     * Reports the geometric mean of the ratios of two layouts, over all queries and by tenant.
     *
     * @param name the case in the report
     * @param metric what the report calls the mean
     */
    public void ratio(String name, String metric, String over, String under, double leastMillis) {
        PeerRatios ratios = new PeerRatios();
        for (int i = 0; i < queries.size(); i++) {
            double above = medians.get(over).get(i);
            double below = medians.get(under).get(i);
            ratios.add(name, above, below, leastMillis);
            ratios.add(name + "/t" + queries.get(i).tenant(), above, below, leastMillis);
        }
        ratios.means().forEach((key, mean) -> report.add(key, metric, mean, "ratio"));
    }
}
