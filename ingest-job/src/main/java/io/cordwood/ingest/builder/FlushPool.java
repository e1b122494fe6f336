package io.cordwood.ingest.builder;

import io.cordwood.catalog.commit.Flush;
import io.cordwood.ingest.runtime.GroupedWork;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pool of threads that run flushes and return the results in order. Results stay in the pool until the task thread
 * takes them: nothing depends on them before the next checkpoint. Used by the task thread only.
 *
 * <p>Flushes that wait for a thread have their tables requested together: when thousands of small tenants are flushed
 * at once, single requests would be a large part of the work, here and in the catalog service.
 */
final class FlushPool implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FlushPool.class);

    private final FlushBuilder builder;
    private final MemoryBudget budget;
    private final ExecutorService threads;
    private final Deque<Running> running = new ArrayDeque<>();
    private final GroupedWork<Attempt> attempts = new GroupedWork<>(this::prepare);

    /** @param budget counts the memory of the flushes in progress */
    FlushPool(FlushBuilder builder, MemoryBudget budget, int threadCount, String name) {
        this.builder = builder;
        this.budget = budget;
        this.threads = Executors.newFixedThreadPool(
                threadCount,
                Thread.ofPlatform().name(name + "-flush-", 0).daemon().factory());
    }

    void submit(FlushOrder order) {
        Attempt attempt = new Attempt(builder, order);
        attempts.add(attempt);
        running.addLast(new Running(order, CompletableFuture.supplyAsync(() -> run(attempt), threads)));
        budget.flushBegan(order.memory());
    }

    private Result run(Attempt attempt) {
        try {
            attempts.prepare(attempt);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return attempt.failed(e);
        }
        return attempt.run();
    }

    private void prepare(List<Attempt> group) {
        List<FlushBuilder.PreparedFlush> flushes = new ArrayList<>();
        group.forEach(attempt -> attempt.prepare().ifPresent(flushes::add));
        if (flushes.size() > 1) {
            requestTables(flushes);
        }
    }

    private void requestTables(List<FlushBuilder.PreparedFlush> flushes) {
        try {
            builder.requestTables(flushes);
        } catch (RuntimeException e) {
            LOG.warn("Cannot request the tables of {} flushes together, so each requests its own", flushes.size(), e);
        }
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

    /** One thread prepares it, and maybe another one runs it afterwards. */
    private static final class Attempt {
        private final FlushBuilder builder;
        private final FlushOrder order;
        private Optional<FlushBuilder.PreparedFlush> prepared = Optional.empty();
        private Optional<Exception> failure = Optional.empty();

        Attempt(FlushBuilder builder, FlushOrder order) {
            this.builder = builder;
            this.order = order;
        }

        Optional<FlushBuilder.PreparedFlush> prepare() {
            try {
                prepared = Optional.of(builder.prepare(order));
            } catch (RuntimeException e) {
                failure = Optional.of(e);
            }
            return prepared;
        }

        @SuppressWarnings("CatchingUnchecked") // a failure of one tenant must not stop the others
        Result run() {
            if (failure.isPresent()) {
                return failed(failure.get());
            }
            try {
                return new Result(order, builder.write(prepared.orElseThrow()), Optional.empty());
            } catch (Exception e) {
                return failed(e);
            }
        }

        Result failed(Exception why) {
            return new Result(order, List.of(), Optional.of(why));
        }
    }
}
