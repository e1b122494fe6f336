package io.cordwood.query.search;

import io.cordwood.query.plan.ScanFilter;
import io.cordwood.query.plan.ScanPart;
import io.cordwood.query.plan.ScanPlan;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The parts of a plan that no thread has taken yet, in the plan's order. Thread-safe. */
final class PendingParts {
    private static final int BATCH = 256;

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
                ready.addAll(plan.next(BATCH, ScanFilter.ANY).get(budget.remainingNanos(), TimeUnit.NANOSECONDS));
            } catch (ExecutionException e) {
                stop();
                throw e.getCause() instanceof RuntimeException cause
                        ? cause
                        : new IllegalStateException("Planning failed", e.getCause());
            } catch (TimeoutException e) {
                stop();
                throw budget.outOfTime();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                stop();
                throw budget.outOfTime();
            }
        }
    }

    /** Gives out no further parts. */
    synchronized void stop() {
        stopped = true;
        ready.clear();
    }
}
