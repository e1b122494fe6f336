package io.cordwood.query.search;

import io.cordwood.query.error.QueryException;
import io.cordwood.query.plan.HotPart;
import io.cordwood.query.plan.LogBlockGroup;
import io.cordwood.query.plan.PlanRequest;
import io.cordwood.query.plan.PlanRequest.Demand;
import io.cordwood.query.plan.ScanFilter;
import io.cordwood.query.plan.ScanPart;
import io.cordwood.query.plan.ScanPlan;
import io.cordwood.query.plan.ScanTarget;
import io.cordwood.query.plan.ScannedLogBlock;
import io.cordwood.query.scan.BatchSize;
import io.cordwood.query.scan.ColdLogBlocks;
import io.cordwood.query.scan.LogBlockReader;
import io.cordwood.query.scan.LogBlockSequence;
import io.cordwood.query.scan.LogBlocks;
import io.cordwood.query.scan.ScanRequest;
import io.cordwood.query.scan.TopNBound;
import io.cordwood.query.snapshot.QuerySnapshot;
import io.cordwood.query.table.TableVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * The scans of one question over one tenant's table, all of one snapshot and within one budget. They read hot rows and
 * LogBlocks alike, with several threads. Thread-safe.
 */
public final class TableScan {
    /** Receives the LogBlocks of a scan, hot rows as LogBlocks in memory. Threads call it concurrently. */
    @FunctionalInterface
    interface Visitor {
        /**
         * Takes an open LogBlock, and calls {@link TableScan#finish} when it is done with it.
         *
         * @throws IOException if the LogBlock cannot be read
         */
        void visit(LogBlockReader logBlock) throws IOException;
    }

    /** Receives rows that a filter selects, a batch at a time. */
    @FunctionalInterface
    interface RowVisitor {
        /**
         * Takes the next batch.
         *
         * @param rows positions of rows in their LogBlock
         * @param from where the batch begins in {@code rows}
         * @param size rows of the batch
         * @throws IOException if the LogBlock cannot be read
         */
        void visit(int[] rows, int from, int size) throws IOException;
    }

    private final TableReads reads;
    private final QuerySnapshot snapshot;
    private final TableVersion table;
    private final ScanBudget budget;
    private final Map<String, Long> counts = new LinkedHashMap<>();

    TableScan(TableReads reads, QuerySnapshot snapshot, TableVersion table, ScanBudget budget) {
        this.reads = reads;
        this.snapshot = snapshot;
        this.table = table;
        this.budget = budget;
    }

    public TableVersion table() {
        return table;
    }

    ScanBudget budget() {
        return budget;
    }

    /**
     * Checks the limits of the question, for long work on rows that were read.
     *
     * @throws LimitExceededException if its time is up
     * @throws GivenUpException if its answer is no longer wanted
     */
    public void checkLimits() {
        budget.check(0);
    }

    /**
     * Reads all LogBlocks that may hold rows of the filter.
     *
     * @throws QueryException if something cannot be read
     * @throws LimitExceededException if the question needs more than it may
     * @throws GivenUpException if its answer is no longer wanted
     */
    void run(ScanFilter filter, ScanRequest request, Demand demand, Visitor visitor) {
        Optional<TopNBound> bound = request.topN().map(topN -> new TopNBound(topN.newest(), topN.count()));
        ScanPlan plan = reads.planner()
                .plan(
                        snapshot,
                        new PlanRequest(
                                table.stream(),
                                new ScanTarget.OneTenant(table.tenantId()),
                                filter,
                                request.topN(),
                                demand,
                                new PlanRequest.Readers(1, budget.threads()),
                                reads.options()));
        PendingParts parts = new PendingParts(plan, budget);
        BiFunction<LogBlocks, ScannedLogBlock, LogBlockReader> reader = (logBlocks, logBlock) ->
                new LogBlockReader(logBlocks, logBlock, request, filter, reads.settings(), bound);
        Runnable worker = () -> {
            try {
                for (Optional<ScanPart> part = parts.next(); part.isPresent(); part = parts.next()) {
                    read(sequence(part.get(), filter, bound, reader), visitor);
                }
            } catch (RuntimeException | Error e) {
                parts.stop();
                throw e;
            }
        };
        try {
            runConcurrently(worker, Math.min(budget.threads(), parts.known()));
        } finally {
            add(plan.counts());
        }
    }

    /** Runs the worker in this thread, and in others as far as there are some free. */
    private void runConcurrently(Runnable worker, int workers) {
        List<CompletableFuture<Void>> others = new ArrayList<>();
        try {
            for (int i = 1; i < workers; i++) {
                others.add(CompletableFuture.runAsync(worker, reads.threads()));
            }
        } catch (RejectedExecutionException e) {
            // No thread is free: those that there are do it all
        }
        Optional<RuntimeException> failure = failureOf(worker);
        for (CompletableFuture<Void> other : others) {
            Optional<RuntimeException> of = failureOf(other::join);
            failure = failure.isPresent() ? failure : of;
        }
        if (failure.isPresent()) {
            throw failure.get();
        }
    }

    /** Begins work in another thread; empty if none is free. */
    <T> Optional<CompletableFuture<T>> inOtherThread(Supplier<T> work) {
        try {
            return Optional.of(CompletableFuture.supplyAsync(work, reads.threads()));
        } catch (RejectedExecutionException e) {
            return Optional.empty();
        }
    }

    private static Optional<RuntimeException> failureOf(Runnable work) {
        try {
            work.run();
            return Optional.empty();
        } catch (CompletionException e) {
            return Optional.of(e.getCause() instanceof RuntimeException cause ? cause : e);
        } catch (RuntimeException e) {
            return Optional.of(e);
        }
    }

    private LogBlockSequence sequence(
            ScanPart part,
            ScanFilter filter,
            Optional<TopNBound> bound,
            BiFunction<LogBlocks, ScannedLogBlock, LogBlockReader> reader) {
        return switch (part) {
            case LogBlockGroup group ->
                new ColdLogBlocks(group.logBlocks().stream()
                        .<Supplier<LogBlockReader>>map(logBlock -> () -> reader.apply(reads.logBlocks(), logBlock))
                        .toList());
            case HotPart hot ->
                reads.hotScans()
                        .read(
                                hot,
                                bound,
                                filter::admitsTenant,
                                budget.hot(),
                                reads.settings().useCache(),
                                reader);
        };
    }

    private void read(LogBlockSequence logBlocks, Visitor visitor) {
        try (logBlocks) {
            while (!logBlocks.isDone()) {
                budget.check(0);
                Optional<LogBlockReader> next = logBlocks.next();
                if (next.isPresent()) {
                    visit(next.get(), visitor);
                    logBlocks.read(next.get());
                }
            }
            if (!(logBlocks instanceof ColdLogBlocks)) {
                // The counts of cold LogBlocks come with each of them
                add(logBlocks.counts());
            }
        }
    }

    private void visit(LogBlockReader logBlock, Visitor visitor) {
        try {
            logBlock.open(ScanFilter.ANY);
            visitor.visit(logBlock);
        } catch (QueryException | LimitExceededException | GivenUpException e) {
            finish(logBlock);
            throw e;
        } catch (IOException | RuntimeException e) {
            finish(logBlock);
            throw logBlock.failure(e);
        }
    }

    /** Reads the rows of an open LogBlock that the filter selects. */
    void readRows(LogBlockReader logBlock, BatchSize batch, RowVisitor visitor) throws IOException {
        for (Optional<int[]> next = logBlock.nextRows(); next.isPresent(); next = logBlock.nextRows()) {
            int[] rows = next.get();
            logBlock.handedOut(rows.length);
            int size;
            for (int from = 0; from < rows.length; from += size) {
                size = batch.next(rows.length - from);
                visitor.visit(rows, from, size);
            }
            budget.check(logBlock.bytesRead());
        }
    }

    /** Closes a LogBlock, and counts what was read of it. */
    void finish(LogBlockReader logBlock) {
        logBlock.close();
        add(logBlock.counts());
        reads.meter().read(logBlock.tenantId(), table.stream(), logBlock.bytesRead());
        budget.read(logBlock.bytesRead());
    }

    private void add(Map<String, Long> more) {
        synchronized (counts) {
            more.forEach((name, count) -> counts.merge(name, count, Long::sum));
        }
    }

    /** The counts of all scans so far, by the names that {@code EXPLAIN ANALYZE VERBOSE} shows. */
    public Map<String, Long> counts() {
        synchronized (counts) {
            return new LinkedHashMap<>(counts);
        }
    }
}
