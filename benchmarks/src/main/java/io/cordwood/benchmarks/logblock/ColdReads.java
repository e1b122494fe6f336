package io.cordwood.benchmarks.logblock;

import io.cordwood.benchmarks.data.BenchQuery;
import io.cordwood.benchmarks.peer.EnginePeer;
import io.cordwood.benchmarks.peer.Peer;
import io.cordwood.benchmarks.report.Percentiles;
import io.cordwood.benchmarks.report.Report;
import io.cordwood.benchmarks.table.TenantTable;
import io.cordwood.logblock.scan.ReadOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Queries on unread LogBlocks in a store with a latency of 30 ms per request. Stateless. */
final class ColdReads {
    private static final Duration LATENCY = Duration.ofMillis(30);
    private static final long BYTES_PER_SECOND = 100_000_000;
    private static final String CASE = "/cold30ms";

    private ColdReads() {}

    /** The cost of one cold run. */
    private record Cold(Peer.Run run, SimulatedStore store, int opened) {}

    /** Reports requests, round trips, bytes and time of each query; returns the number of right answers. */
    static int measure(Report report, List<BenchQuery> queries, Map<String, TenantTable> tables, int runs)
            throws IOException {
        int right = 0;
        for (BenchQuery query : queries) {
            double[] millis = new double[runs];
            Cold last = null;
            for (int run = 0; run < runs; run++) {
                last = ask(query, tables);
                millis[run] = last.run().millis();
            }
            right += query.isRight(last.run().answer().rows()) ? 1 : 0;
            String name = query.name() + CASE;
            report.add(name, "requests", (double) last.store().requests(), "requests");
            report.add(name, "round_trips", (double) last.store().roundTrips(), "requests");
            report.add(name, "bytes_read", (double) last.store().bytes(), "bytes");
            report.add(name, "logblocks_opened", last.opened(), "LogBlocks");
            report.add(name, "median_ms", Percentiles.of(millis).median(), "ms");
        }
        return right;
    }

    private static Cold ask(BenchQuery query, Map<String, TenantTable> tables) throws IOException {
        SimulatedStore store = new SimulatedStore(LATENCY, BYTES_PER_SECOND);
        try (EnginePeer engine = new EnginePeer(tables, store, ReadOptions.DEFAULTS)) {
            return new Cold(engine.ask(query), store, engine.opened());
        }
    }
}
