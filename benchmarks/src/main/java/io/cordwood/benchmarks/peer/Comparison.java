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
import java.util.function.Function;

/**
 * Compares Cordwood and its peers, which run each query alternately. Each query also runs over an empty time range; the
 * time of that run is the floor, which is subtracted before times are compared. Not thread-safe.
 */
public final class Comparison {
    private final Report report;
    private final List<Peer> peers;
    private final double leastMillis;
    private final int runs;

    /**
     * @param ours Cordwood's engine, followed by its peers
     * @param leastMillis minimum for a time above its floor: the noise of the measurement
     */
    public Comparison(Report report, Peer ours, List<Peer> others, double leastMillis, int runs) {
        this.report = report;
        this.peers = new ArrayList<>(List.of(ours));
        this.peers.addAll(others);
        this.leastMillis = leastMillis;
        this.runs = runs;
    }

    /** Times of a peer for a query, and for the same query over an empty range. */
    private record Times(Percentiles query, Percentiles floor) {
        double aboveFloor() {
            return query.median() - floor.median();
        }
    }

    /**
     * The result besides the reported figures.
     *
     * @param queries number of queries
     * @param right number of queries with right answers in every run, by peer
     */
    public record Result(int queries, Map<String, Integer> right) {
        /** Reports Cordwood's right answers under {@code all} and each peer's under its name. */
        public void reportAnswers(Report report) {
            boolean ours = true;
            for (Map.Entry<String, Integer> peer : right.entrySet()) {
                String name = ours ? "all" : peer.getKey();
                report.add(name, "answers_right", peer.getValue(), "queries");
                report.add(name, "answers_total", queries, "queries");
                ours = false;
            }
        }
    }

    /**
     * Runs all queries on all peers.
     *
     * @param group the key by which ratios, floors and the worst time are aggregated, such as the tenant
     */
    public Result measure(List<BenchQuery> queries, Function<BenchQuery, String> group)
            throws IOException, SQLException {
        Map<String, Integer> right = new LinkedHashMap<>();
        Map<String, PeerRatios> ratios = new LinkedHashMap<>();
        Map<String, List<Double>> floors = new LinkedHashMap<>();
        Map<String, Double> worst = new LinkedHashMap<>();
        for (BenchQuery query : queries) {
            String of = group.apply(query);
            List<Times> times = measure(query, right);
            Times ours = times.getFirst();
            report.add(query.name() + "/warm", "median_ms", ours.query().median(), "ms");
            report.add(query.name() + "/warm", "p95_ms", ours.query().at(0.95), "ms");
            report.add(query.name() + "/floor", "median_ms", ours.floor().median(), "ms");
            worst.merge(of, ours.query().at(0.95), Math::max);
            addTo(floors, "floor/" + of, ours);
            for (int i = 1; i < peers.size(); i++) {
                String peer = peers.get(i).name();
                Times theirs = times.get(i);
                report.add(
                        query.name() + "/" + peer, "median_ms", theirs.query().median(), "ms");
                report.add(query.name() + "/" + peer, "p95_ms", theirs.query().at(0.95), "ms");
                addTo(floors, peer + "_floor/" + of, theirs);
                ratios.computeIfAbsent(peer, key -> new PeerRatios())
                        .add(of, ours.aboveFloor(), theirs.aboveFloor(), leastMillis);
            }
        }
        worst.forEach((name, millis) -> report.add(name, "p95_ms", millis, "ms"));
        floors.forEach((name, millis) ->
                report.add(name, "median_ms", Percentiles.of(millis).median(), "ms"));
        ratios.forEach((peer, of) -> of.report(report, peer, "time_ratio_geomean"));
        return new Result(queries.size(), right);
    }

    private static void addTo(Map<String, List<Double>> floors, String name, Times times) {
        floors.computeIfAbsent(name, key -> new ArrayList<>()).add(times.floor().median());
    }

    private List<Times> measure(BenchQuery query, Map<String, Integer> right) throws IOException, SQLException {
        BenchQuery nothing = query.overEmptyRange();
        double[][] millis = new double[peers.size()][runs];
        double[][] floors = new double[peers.size()][runs];
        boolean[] wrong = new boolean[peers.size()];
        for (int run = 0; run < runs; run++) {
            for (int i = 0; i < peers.size(); i++) {
                Peer.Run ran = peers.get(i).ask(query);
                Peer.Run floor = peers.get(i).ask(nothing);
                millis[i][run] = ran.millis();
                floors[i][run] = floor.millis();
                wrong[i] |= !query.isRight(ran.answer().rows())
                        || !nothing.isRight(floor.answer().rows());
                if (wrong[i] && run == 0) {
                    System.err.printf(
                            "bench: %s by %s: %d, expected %d; over the empty range %d%n",
                            query.name(),
                            peers.get(i).name(),
                            ran.answer().rows(),
                            query.expected(),
                            floor.answer().rows());
                }
            }
        }
        List<Times> times = new ArrayList<>();
        for (int i = 0; i < peers.size(); i++) {
            times.add(new Times(Percentiles.of(millis[i]), Percentiles.of(floors[i])));
            right.merge(peers.get(i).name(), wrong[i] ? 0 : 1, Integer::sum);
        }
        return times;
    }
}
