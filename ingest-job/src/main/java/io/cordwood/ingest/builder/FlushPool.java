package io.cordwood.ingest.builder;

import io.cordwood.catalog.commit.Flush;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A pool of threads that run flushes and return the results in order. Results stay in the pool until the task thread
 * takes them: nothing depends on them before the next checkpoint. Used by the task thread only.
 */
final class FlushPool implements AutoCloseable {
    private final FlushBuilder builder;
    private final MemoryBudget budget;
    private final ExecutorService threads;
    private final Deque<Running> running = new ArrayDeque<>();

    /** @param budget counts the memory of the flushes in progress */
    FlushPool(FlushBuilder builder, MemoryBudget budget, int threadCount, String name) {
        this.builder = builder;
        this.budget = budget;
        this.threads = Executors.newFixedThreadPool(
                threadCount,
                Thread.ofPlatform().name(name + "-flush-", 0).daemon().factory());
    }

    void submit(FlushOrder order) {
        running.addLast(new Running(
                order, CompletableFuture.supplyAsync(() -> new Attempt(builder, order).run(), threads)));
        budget.flushBegan(order.memory());
    }

    /** Number of flushes whose results were not taken yet. */
    int size() {
        return running.size();
    }

    boolean isEmpty() {
        return running.isEmpty();
    }

    /** The oldest flush's result, if it has finished. */
    Optional<Result> poll() throws InterruptedException {
        return running.isEmpty() || !running.getFirst().result().isDone() ? Optional.empty() : Optional.of(take());
    }

    /** The oldest flush's result; waits for it. */
    Result take() throws InterruptedException {
        Running oldest = running.getFirst();
        try {
            Result result = oldest.result().get();
            running.removeFirst();
            budget.flushEnded(oldest.order().memory());
            return result;
        } catch (ExecutionException e) {
            // Exceptions are results; only errors such as a lack of memory get here.
            throw new IllegalStateException("A flush thread died", e.getCause());
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    private record Running(FlushOrder order, CompletableFuture<Result> result) {}

    /** The result of an order: its flushes, or the reason of the failure. */
    record Result(FlushOrder order, List<Flush> flushes, Optional<Exception> failure) {}

    private record Attempt(FlushBuilder builder, FlushOrder order) {
        @SuppressWarnings("CatchingUnchecked") // a failure of one tenant must not stop the others
        Result run() {
            try {
                return new Result(order, builder.build(order), Optional.empty());
            } catch (Exception e) {
                return new Result(order, List.of(), Optional.of(e));
            }
        }
    }
}
