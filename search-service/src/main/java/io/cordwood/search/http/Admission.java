package io.cordwood.search.http;

import io.cordwood.query.search.GivenUpException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Bounds the questions that run at once, in total and of each tenant, and the memory that they may need together.
 * Others wait, and tenants take turns: one with many questions does not delay the others'. A question that needs more
 * memory than there is left waits, and smaller ones of other tenants pass it. Where questions are of users, a user
 * stands for a tenant. Of the memory, a part is left to other tenants than the one that uses the rest. A question
 * counts at most half of the rest, so two always run; one of a tenant that has none running is not passed for long.
 * Thread-safe.
 */
public final class Admission {
    private static final int TOO_MANY = 429;
    /** How long smaller questions may pass one that waits for memory. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    /** One tenant leaves this part of the memory to others. */
    private static final int OTHERS_PART = 8;

    private final Bounds bounds;
    private final int maxWaiting;
    private final Duration maxWait;
    private final Map<String, Integer> running = new HashMap<>();
    private final Map<String, Long> bytesOfTenants = new HashMap<>();
    /** Those that wait, by tenant; the tenant whose turn is next comes first. */
    private final Map<String, Deque<Waiting>> waiting = new LinkedHashMap<>();

    private int total;
    private long bytes;

    /**
     * Bounds of the questions that run at once.
     *
     * @param questions their number
     * @param ofTenant the number of one tenant's
     * @param bytes the memory that they may need
     */
    public record Bounds(int questions, int ofTenant, long bytes) {
        /** The memory that questions of one tenant may need. */
        long bytesOfTenant() {
            return bytes - bytes / OTHERS_PART;
        }
    }

    /** A question that waits until {@code turn} is complete. */
    private record Waiting(CompletableFuture<Void> turn, long bytes, long since) {
        boolean isImpatient() {
            return System.nanoTime() - since > PATIENCE.toNanos();
        }
    }

    /**
     * @param maxWaiting questions of a tenant that wait
     * @param maxWait how long a question waits
     */
    public Admission(Bounds bounds, int maxWaiting, Duration maxWait) {
        this.bounds = bounds;
        this.maxWaiting = maxWaiting;
        this.maxWait = maxWait;
    }

    /** A question that runs, until it is closed. */
    public final class Running implements AutoCloseable {
        private final String tenant;
        private final long bytes;

        private Running(String tenant, long bytes) {
            this.tenant = tenant;
            this.bytes = bytes;
        }

        @Override
        public void close() {
            leave(tenant, bytes);
        }
    }

    /**
     * Waits until a question of the tenant may run.
     *
     * @param needed memory that it may need, in bytes
     * @param client who asks
     * @throws ApiException with status 429 if too many wait, or it waits too long
     * @throws GivenUpException if the client leaves meanwhile
     */
    public Running enter(String tenant, long needed, Client client) throws InterruptedException {
        Waiting question =
                new Waiting(new CompletableFuture<>(), Math.min(needed, bounds.bytesOfTenant() / 2), System.nanoTime());
        Running entered = new Running(tenant, question.bytes());
        synchronized (this) {
            Deque<Waiting> ofTenant = waiting.computeIfAbsent(tenant, any -> new ArrayDeque<>());
            if (ofTenant.size() >= maxWaiting) {
                throw tooMany(tenant);
            }
            ofTenant.add(question);
            runNext();
        }
        try {
            await(question.turn(), tenant, client);
        } catch (Throwable e) {
            giveUp(tenant, question);
            throw e;
        }
        return entered;
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

    private synchronized void giveUp(String tenant, Waiting question) {
        if (question.turn().isDone()) {
            // Its turn came just now
            leave(tenant, question.bytes());
            return;
        }
        Deque<Waiting> ofTenant = waiting.get(tenant);
        ofTenant.removeIf(other -> other.turn() == question.turn());
        if (ofTenant.isEmpty()) {
            waiting.remove(tenant);
        }
        // It may have been what others of the tenant waited for
        runNext();
    }

    private synchronized void leave(String tenant, long freed) {
        total--;
        bytes -= freed;
        bytesOfTenants.computeIfPresent(tenant, (any, count) -> count == freed ? null : count - freed);
        running.computeIfPresent(tenant, (any, count) -> count == 1 ? null : count - 1);
        runNext();
    }

    private void runNext() {
        Optional<String> next = nextTenant();
        while (next.isPresent()) {
            run(next.get());
            next = nextTenant();
        }
    }

    /** The first tenant in turn that has a question for which there is room. */
    private Optional<String> nextTenant() {
        if (total >= bounds.questions()) {
            return Optional.empty();
        }
        for (Map.Entry<String, Deque<Waiting>> entry : waiting.entrySet()) {
            if (running.getOrDefault(entry.getKey(), 0) >= bounds.ofTenant()) {
                continue;
            }
            Waiting first = entry.getValue().element();
            boolean isWithinShare =
                    first.bytes() <= bounds.bytesOfTenant() - bytesOfTenants.getOrDefault(entry.getKey(), 0L);
            if (isWithinShare && first.bytes() <= bounds.bytes() - bytes) {
                return Optional.of(entry.getKey());
            }
            // A tenant whose own questions take the memory keeps nobody else waiting
            if (first.isImpatient() && !running.containsKey(entry.getKey())) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    private void run(String tenant) {
        // To the end: the other tenants come first
        Deque<Waiting> ofTenant = waiting.remove(tenant);
        Waiting question = ofTenant.remove();
        if (!ofTenant.isEmpty()) {
            waiting.put(tenant, ofTenant);
        }
        total++;
        bytes += question.bytes();
        running.merge(tenant, 1, Integer::sum);
        bytesOfTenants.merge(tenant, question.bytes(), Long::sum);
        question.turn().complete(null);
    }

    /** The number of questions that run. */
    synchronized int running() {
        return total;
    }

    /** The memory that questions that run may need, in bytes. */
    synchronized long bytes() {
        return bytes;
    }

    /** The number of questions that wait. */
    synchronized int waiting() {
        return waiting.values().stream().mapToInt(Deque::size).sum();
    }
}
