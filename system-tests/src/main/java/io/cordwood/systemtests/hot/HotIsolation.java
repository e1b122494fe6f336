package io.cordwood.systemtests.hot;

import io.cordwood.benchmarks.report.Percentiles;
import io.cordwood.benchmarks.report.Report;
import io.cordwood.benchmarks.stack.SqlRun;
import io.cordwood.systemtests.lab.Lab;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Measures the effect of heavy queries over LogBlocks, queries for the newest rows and ingest on one another
 * (ChronoLog's isolation of replay, playback and record). For one thread.
 */
final class HotIsolation {
    private static final String PAST = "past";
    private static final String RECENT = "recent";
    private static final int RECENT_ROWS = 20_000;
    private static final int USERS_OF_HISTORY = 4;
    /** A query that no index answers: it reads every message of all days. */
    private static final String HISTORY =
            "SELECT count(*), sum(length(message)) FROM cordwood.%s.%s WHERE regexp_like(message, 'node [1-4]7$')"
                    .formatted(PAST, Lab.STREAM);

    private static final String TAIL =
            "SELECT ts, message FROM TABLE(cordwood.system.tail(tenant => '%s', stream => '%s', rows => 100))"
                    .formatted(RECENT, Lab.STREAM);

    private final Lab lab;
    private final Report report;
    private final int rows;
    private final int ingested;
    private final Duration each;

    /**
     * @param rows number of old rows
     * @param ingested number of rows shipped beside queries
     * @param each minimum duration of each mix
     */
    HotIsolation(Lab lab, Report report, int rows, int ingested, Duration each) {
        this.lab = lab;
        this.report = report;
        this.rows = rows;
        this.ingested = ingested;
        this.each = each;
    }

    void measure() throws Exception {
        try (HotRows sending = new HotRows(lab);
                Connection connection = lab.connect()) {
            for (int row = 0; row < rows; row++) {
                sending.send(PAST, row);
            }
            sending.flush();
            sending.archive(connection, Map.of(PAST, rows));
            for (int row = 0; row < RECENT_ROWS; row++) {
                sending.send(RECENT, row);
            }
            sending.flush();
        }
        warmUp();
        measure("tail", 1, 0, false);
        measure("history", 0, USERS_OF_HISTORY, false);
        measure("ingest", 0, 0, true);
        measure("tail_and_history", 1, USERS_OF_HISTORY, false);
        measure("tail_and_ingest", 1, 0, true);
        measure("history_and_ingest", 0, USERS_OF_HISTORY, true);
    }

    /** On a freshly started server, a short query spends half its time in compilation. */
    private void warmUp() throws Exception {
        AtomicBoolean stopped = new AtomicBoolean();
        try (ExecutorService users = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<List<Double>>> asked = new ArrayList<>(ask(users, 1, TAIL, stopped));
            asked.addAll(ask(users, 1, HISTORY, stopped));
            try {
                TimeUnit.NANOSECONDS.sleep(2 * each.toNanos());
            } finally {
                stopped.set(true);
            }
            for (Future<List<Double>> user : asked) {
                user.get();
            }
        }
    }

    private void measure(String name, int tails, int histories, boolean ingests) throws Exception {
        AtomicBoolean stopped = new AtomicBoolean();
        String prefix = "isolation/" + name;
        long start = System.nanoTime();
        try (ExecutorService users = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<List<Double>>> tailTimes = ask(users, tails, TAIL, stopped);
            List<Future<List<Double>>> ofHistory = ask(users, histories, HISTORY, stopped);
            try {
                if (ingests) {
                    ingest(prefix, "for_" + name);
                }
                long left = each.toNanos() - (System.nanoTime() - start);
                if (left > 0 && tails + histories > 0) {
                    TimeUnit.NANOSECONDS.sleep(left);
                }
            } finally {
                stopped.set(true);
            }
            report(prefix, "tail", tailTimes);
            report(prefix, "history", ofHistory);
        }
    }

    /** Ships rows as fast as Kafka accepts them, requests flushes, and waits until all are in LogBlocks. */
    private void ingest(String prefix, String tenant) throws Exception {
        try (HotRows sending = new HotRows(lab);
                Connection connection = lab.connect()) {
            long start = System.nanoTime();
            for (int row = 0; row < ingested; row++) {
                sending.send(tenant, row);
            }
            sending.flush();
            sending.archive(connection, Map.of(tenant, ingested));
            report.add(prefix, "ingest_seconds", (System.nanoTime() - start) / 1e9, "s");
        }
    }

    /** Each user runs the query repeatedly. */
    private List<Future<List<Double>>> ask(ExecutorService executor, int users, String sql, AtomicBoolean stopped) {
        List<Future<List<Double>>> asking = new ArrayList<>();
        for (int user = 0; user < users; user++) {
            Callable<List<Double>> repeatedly = () -> millis(sql, stopped);
            asking.add(executor.submit(repeatedly));
        }
        return asking;
    }

    private List<Double> millis(String sql, AtomicBoolean stopped) throws SQLException {
        List<Double> millis = new ArrayList<>();
        try (Connection connection = lab.connect()) {
            while (!stopped.get()) {
                millis.add(SqlRun.of(connection, sql, false).millis());
            }
        }
        return millis;
    }

    private void report(String name, String queries, List<Future<List<Double>>> asked) throws Exception {
        List<Double> all = new ArrayList<>();
        for (Future<List<Double>> millis : asked) {
            all.addAll(millis.get());
        }
        if (all.isEmpty()) {
            return;
        }
        Percentiles times = Percentiles.of(all);
        report.add(name, queries + "_ms_median", times.median(), "ms");
        report.add(name, queries + "_ms_p99", times.at(0.99), "ms");
        report.add(name, queries + "_queries", all.size(), "queries");
    }
}
