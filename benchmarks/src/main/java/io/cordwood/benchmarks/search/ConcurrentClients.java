package io.cordwood.benchmarks.search;

import io.cordwood.benchmarks.data.BenchQuery;
import io.cordwood.benchmarks.peer.Peer;
import io.cordwood.benchmarks.report.Percentiles;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Clients that ask the same queries at once, each one after the other, for some seconds. Immutable.
 *
 * @param perSecond answers of all clients together
 * @param millis time of each answer
 * @param wrong number of wrong answers
 */
record ConcurrentClients(double perSecond, Percentiles millis, long wrong) {
    /** Opens the connection of one client. */
    @FunctionalInterface
    interface Connect {
        Peer open() throws IOException, SQLException;
    }

    private record Asked(List<Double> millis, long wrong) {}

    /** Runs that many clients; each begins at another query. */
    static ConcurrentClients run(Connect connect, List<BenchQuery> queries, int clients, int seconds)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        List<Callable<Asked>> work = new ArrayList<>();
        for (int client = 0; client < clients; client++) {
            int first = client;
            work.add(() -> ask(connect, queries, first, end));
        }
        List<Double> millis = new ArrayList<>();
        long wrong = 0;
        try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
            for (Future<Asked> client : threads.invokeAll(work)) {
                Asked asked = client.get();
                millis.addAll(asked.millis());
                wrong += asked.wrong();
            }
        } catch (ExecutionException e) {
            throw new IOException("a client failed: " + e.getCause(), e);
        }
        return new ConcurrentClients(millis.size() / (double) seconds, Percentiles.of(millis), wrong);
    }

    private static Asked ask(Connect connect, List<BenchQuery> queries, int first, long end)
            throws IOException, SQLException {
        List<Double> millis = new ArrayList<>();
        long wrong = 0;
        try (Peer peer = connect.open()) {
            for (int i = first; System.nanoTime() < end; i++) {
                BenchQuery query = queries.get(i % queries.size());
                Peer.Run run = peer.ask(query);
                millis.add(run.millis());
                wrong += query.isRight(run.answer().rows()) ? 0 : 1;
            }
        }
        return new Asked(millis, wrong);
    }
}
