package io.cordwood.benchmarks;

import java.util.LinkedHashMap;
import java.util.Map;

/** Geometric means of our times over a peer's, by tenant, each above its own floor. Not thread-safe. */
final class PeerRatios {
    /** What is left of a time that is no longer than its floor: ratios need something above 0. */
    private static final double LEAST_MILLIS = 0.1;

    private final Map<String, Sum> byTenant = new LinkedHashMap<>();

    private static final class Sum {
        private double logs;
        private int count;
    }

    /** Milliseconds, ours and the peer's: of a query, or of one that selects nothing. */
    record Times(double ours, double theirs) {}

    void add(String tenant, Times times, Times floor) {
        Sum sum = byTenant.computeIfAbsent(tenant, name -> new Sum());
        sum.logs += Math.log(above(floor.ours(), times.ours()) / above(floor.theirs(), times.theirs()));
        sum.count++;
    }

    private static double above(double floor, double millis) {
        return Math.max(LEAST_MILLIS, millis - floor);
    }

    void report(Report report, String peer) {
        byTenant.forEach((tenant, sum) -> report.add(
                "vs_%s/t%s".formatted(peer, tenant),
                "time_ratio_geomean",
                Math.exp(sum.logs / sum.count),
                "ours/theirs"));
    }
}
