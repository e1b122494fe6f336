package io.cordwood.query.search;

import io.cordwood.query.plan.ScanFilter;
import io.cordwood.query.plan.ScanPart;
import io.cordwood.query.plan.ScanPlan;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The parts of a plan that no thread has taken yet, in the plan's order. Thread-safe. */
final class PendingParts {
    private static final int BATCH = 256;
    /** How often it is checked, while it waits, whether the question may go on. */
    private static final long CHECK_NANOS = Duration.ofMillis(100).toNanos();

    private final ScanPlan plan;
    private final ScanBudget budget;
    private final Deque<ScanPart> ready = new ArrayDeque<>();
    private boolean stopped;

    PendingParts(ScanPlan plan, ScanBudget budget) {
        this.plan = plan;
        this.budget = budget;
    }

    /** The number of parts that are planned and not taken; it plans some if there are none. */
    synchronized int known() {
        plan();
        return ready.size();
    }

    /** Takes the next part; empty at the end, and after {@link #stop}. */
    synchronized Optional<ScanPart> next() {
        plan();
        return Optional.ofNullable(ready.poll());
    }

    private void plan() {
        while (!stopped && ready.isEmpty() && !plan.isFinished()) {
            try {
                ready.addAll(await(plan.next(BATCH, ScanFilter.ANY)));
            } catch (ExecutionException e) {
                stop();
                throw e.getCause() instanceof RuntimeException cause
                        ? cause
                        : new IllegalStateException("Planning failed", e.getCause());
            } catch (LimitExceededException | GivenUpException e) {
                stop();
                throw e;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                stop();
                throw budget.outOfTime();
            }
        }
    }

    private List<ScanPart> await(CompletableFuture<List<ScanPart>> parts)
            throws ExecutionException, InterruptedException {
        while (true) {
            try {
                return parts.get(Math.min(CHECK_NANOS, budget.remainingNanos()), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                budget.check(0);
            }
        }
    }

    /** Gives out no further parts. */
    synchronized void stop() {
        stopped = true;
        ready.clear();
    }
}
