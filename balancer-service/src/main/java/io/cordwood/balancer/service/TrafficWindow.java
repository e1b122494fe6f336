package io.cordwood.balancer.service;

import io.cordwood.balancer.service.PartitionReport.Traffic;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reports and offsets of a sliding window, over which rates are means: producers send in bursts, and reports and offset
 * readings cover different times. Not thread-safe.
 */
final class TrafficWindow {
    private final long millis;
    private final Map<Integer, Deque<PartitionReport>> reports = new HashMap<>();
    private final Deque<Offsets> offsets = new ArrayDeque<>();

    /** @param millis length of the window */
    TrafficWindow(long millis) {
        this.millis = millis;
    }

    /**
     * Records a reading of the offsets; returns the earliest one of the window to compare it with, itself if it is the
     * first.
     */
    Offsets earliest(Offsets latest) {
        // The last reading before the window stays, so that the whole window is covered.
        while (offsets.size() > 1 && nth(offsets, 1).ticks() <= latest.ticks() - millis) {
            offsets.removeFirst();
        }
        offsets.addLast(latest);
        return offsets.getFirst();
    }

    private static Offsets nth(Deque<Offsets> offsets, int n) {
        return offsets.stream().skip(n).findFirst().orElseThrow();
    }

    /**
     * Records the present reports; returns, for each partition, one that sums up those of the window.
     */
    List<PartitionReport> sums(List<PartitionReport> latest) {
        List<PartitionReport> sums = new ArrayList<>();
        for (PartitionReport report : latest) {
            Deque<PartitionReport> known = reports.computeIfAbsent(report.partition(), unknown -> new ArrayDeque<>());
            if (!known.isEmpty() && report.toMillis() < known.getLast().toMillis()) {
                // The clock was set back, so earlier reports are not comparable.
                known.clear();
            }
            if (known.isEmpty() || known.getLast().toMillis() < report.toMillis()) {
                known.addLast(report);
            }
            while (known.getFirst().toMillis() <= report.toMillis() - millis && known.size() > 1) {
                known.removeFirst();
            }
            sums.add(sum(known));
        }
        return sums;
    }

    private static PartitionReport sum(Deque<PartitionReport> reports) {
        Map<String, Traffic> tenants = new HashMap<>();
        long records = 0;
        long countedMillis = 0;
        for (PartitionReport report : reports) {
            records += report.records();
            countedMillis += report.toMillis() - report.fromMillis();
            report.tenants()
                    .forEach((tenant, traffic) -> tenants.merge(
                            tenant, traffic, (a, b) -> new Traffic(a.rows() + b.rows(), a.bytes() + b.bytes())));
        }
        PartitionReport last = reports.getLast();
        return new PartitionReport(
                last.partition(),
                last.worker(),
                reports.getFirst().fromMillis(),
                last.toMillis(),
                countedMillis,
                records,
                last.position(),
                tenants);
    }
}
