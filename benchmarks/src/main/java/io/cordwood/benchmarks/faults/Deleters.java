package io.cordwood.benchmarks.faults;

import io.cordwood.benchmarks.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Some who delete rows at the same time, of all tenants but the one that is itself deleted. Used by one thread. */
final class Deleters {
    private static final int ACKNOWLEDGED_WITHIN_SECONDS = 125;
    /** The largest: they have tables soon. */
    private static final int MAX_TENANTS = 50;

    private static final int PAUSE_MILLIS = 2_000;

    private final List<Deleter> deleters;
    private final List<Thread> threads = new ArrayList<>();

    /** @param rowsPerSecond of each producer */
    Deleters(Lab lab, NumberedRow.Maker rows, Ledger ledger, Findings findings, int count, int rowsPerSecond) {
        deleters = IntStream.range(0, count)
                .mapToObj(number -> new Deleter(
                        lab,
                        rows,
                        ledger,
                        findings,
                        number,
                        rowsPerSecond,
                        ACKNOWLEDGED_WITHIN_SECONDS,
                        tenant -> tenant != Faults.DELETED_TENANT && tenant < MAX_TENANTS,
                        PAUSE_MILLIS))
                .toList();
    }

    void start() {
        for (Deleter deleter : deleters) {
            threads.add(Thread.ofPlatform().name("deleter-" + threads.size()).start(deleter));
        }
    }

    /** Returns when the deletions under way are done. */
    void stop() throws InterruptedException {
        deleters.forEach(Deleter::stop);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    void report(Report report) {
        report.add(
                "all",
                "deletions",
                (double) deleters.stream().mapToLong(Deleter::deletions).sum(),
                "statements");
        report.add(
                "all",
                "deleted_rows",
                (double) deleters.stream().mapToLong(Deleter::deletedRows).sum(),
                "rows");
        report.add(
                "all",
                "deletions_failed",
                (double) deleters.stream().mapToLong(Deleter::failures).sum(),
                "statements");
    }
}
