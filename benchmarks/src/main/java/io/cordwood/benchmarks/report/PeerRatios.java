package io.cordwood.benchmarks.report;

import java.util.LinkedHashMap;
import java.util.Map;

/** Geometric means of ratios, Cordwood's times over a peer's, by a key such as the tenant. Not thread-safe. */
public final class PeerRatios {
    private final Map<String, Sum> byKey = new LinkedHashMap<>();

    private static final class Sum {
        private double logs;
        private int count;
    }

    /**
     * Adds two times of the same thing.
     *
     * @param least minimum of each time: ratios need values above 0 and above the noise
     */
    public void add(String key, double ours, double theirs, double least) {
        Sum sum = byKey.computeIfAbsent(key, name -> new Sum());
        sum.logs += Math.log(Math.max(least, ours) / Math.max(least, theirs));
        sum.count++;
    }

    /** Ratios by key. */
    public Map<String, Double> means() {
        Map<String, Double> means = new LinkedHashMap<>();
        byKey.forEach((key, sum) -> means.put(key, Math.exp(sum.logs / sum.count)));
        return means;
    }

    /** Reports {@code vs_PEER/KEY}. */
    public void report(Report report, String peer, String metric) {
        means().forEach((key, mean) -> report.add("vs_%s/%s".formatted(peer, key), metric, mean, "ours/theirs"));
    }
}
