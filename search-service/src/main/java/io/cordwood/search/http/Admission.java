package io.cordwood.search.http;

import io.cordwood.query.search.GivenUpException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Bounds the questions that run at once, in total and of each tenant. Others wait, and tenants take turns: one with
 * many
 * questions does not delay the others'. Where questions are of users, a user stands for a tenant. Thread-safe.
 */
public final class Admission {
    private static final int TOO_MANY = 429;

    private final int maxRunning;
    private final int maxOfTenant;
    private final int maxWaiting;
    private final Duration maxWait;
    private final Map<String, Integer> running = new HashMap<>();
    /** Those that wait, by tenant; the tenant whose turn is next comes first. */
    private final Map<String, Deque<CompletableFuture<Void>>> waiting = new LinkedHashMap<>();

    private int total;

    /**
     * @param maxRunning questions that run at once
     * @param maxOfTenant the same, of each tenant
     * @param maxWaiting questions of a tenant that wait
     * @param maxWait how long a question waits
     */
    public Admission(int maxRunning, int maxOfTenant, int maxWaiting, Duration maxWait) {
        this.maxRunning = maxRunning;
        this.maxOfTenant = maxOfTenant;
        this.maxWaiting = maxWaiting;
        this.maxWait = maxWait;
    }

    /** A question that runs, until it is closed. */
    public final class Running implements AutoCloseable {
        private final String tenant;

        private Running(String tenant) {
            this.tenant = tenant;
        }

        @Override
        public void close() {
            leave(tenant);
        }
    }

    /**
     * Waits until a question of the tenant may run.
     *
     * @param client who asks
     * @throws ApiException with status 429 if too many wait, or it waits too long
     * @throws GivenUpException if the client leaves meanwhile
     */
    public Running enter(String tenant, Client client) throws InterruptedException {
        CompletableFuture<Void> turn = new CompletableFuture<>();
        synchronized (this) {
            Deque<CompletableFuture<Void>> ofTenant = waiting.computeIfAbsent(tenant, any -> new ArrayDeque<>());
            if (ofTenant.size() >= maxWaiting) {
                throw tooMany(tenant);
            }
            ofTenant.add(turn);
            runNext();
        }
        try {
            await(turn, tenant, client);
            return new Running(tenant);
        } catch (ApiException | GivenUpException | InterruptedException e) {
            giveUp(tenant, turn);
            throw e;
        }
    }

    private void await(CompletableFuture<Void> turn, String tenant, Client client) throws InterruptedException {
        long deadline = System.nanoTime() + maxWait.toNanos();
        while (true) {
            try {
                long rest = Math.max(0, deadline - System.nanoTime());
                turn.get(Math.min(rest, Client.INTERVAL.toNanos()), TimeUnit.NANOSECONDS);
                return;
            } catch (TimeoutException e) {
                if (System.nanoTime() - deadline >= 0) {
                    throw tooMany(tenant);
                }
                client.requirePresent();
            } catch (ExecutionException e) {
                throw new IllegalStateException("A turn does not fail", e);
            }
        }
    }

    private static ApiException tooMany(String tenant) {
        return new ApiException(
                TOO_MANY,
                "too_many_requests",
                "Too many questions at once for '%s': try again later".formatted(tenant));
    }

    private synchronized void giveUp(String tenant, CompletableFuture<Void> turn) {
        if (turn.isDone()) {
            // Its turn came just now
            leave(tenant);
            return;
        }
        Deque<CompletableFuture<Void>> ofTenant = waiting.get(tenant);
        ofTenant.removeIf(other -> other == turn);
        if (ofTenant.isEmpty()) {
            waiting.remove(tenant);
        }
    }

    private synchronized void leave(String tenant) {
        total--;
        running.computeIfPresent(tenant, (any, count) -> count == 1 ? null : count - 1);
        runNext();
    }

    private void runNext() {
        boolean found = true;
        while (found && total < maxRunning) {
            found = false;
            for (Map.Entry<String, Deque<CompletableFuture<Void>>> next : waiting.entrySet()) {
                String tenant = next.getKey();
                if (running.getOrDefault(tenant, 0) < maxOfTenant) {
                    run(tenant, next.getValue());
                    found = true;
                    break;
                }
            }
        }
    }

    private void run(String tenant, Deque<CompletableFuture<Void>> ofTenant) {
        total++;
        running.merge(tenant, 1, Integer::sum);
        CompletableFuture<Void> turn = ofTenant.poll();
        // To the end: the other tenants come first
        waiting.remove(tenant);
        if (!ofTenant.isEmpty()) {
            waiting.put(tenant, ofTenant);
        }
        turn.complete(null);
    }

    /** The number of questions that run. */
    synchronized int running() {
        return total;
    }

    /** The number of questions that wait. */
    synchronized int waiting() {
        return waiting.values().stream().mapToInt(Deque::size).sum();
    }
}
