package io.cordwood.compaction.job;

import io.cordwood.compaction.plan.Budget;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.util.Collector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for the reports of all tables of a cycle, and emits the most profitable of their merges within the budget.
 * Merges for the layout have a quarter of it besides, so that others do not wait for them for long, nor they for ever.
 * Of those, one of few bytes counts as more: it costs as much as its commit does.
 */
public final class LimitMerges implements FlatMapFunction<TableReport, MergeTask> {
    private static final long serialVersionUID = 1;
    private static final Logger LOG = LoggerFactory.getLogger(LimitMerges.class);

    private static final int SHARE_FOR_LAYOUT = 4;
    private static final long LEAST_COST = 4 << 20;

    private final long budgetBytes;
    private final Map<Long, Cycle> cycles = new HashMap<>();

    private static final class Cycle {
        private final Budget<MergeTask> budget;
        private final Budget<MergeTask> forLayout;
        private int reports;

        Cycle(long budgetBytes) {
            budget = new Budget<>(budgetBytes);
            forLayout = new Budget<>(budgetBytes / SHARE_FOR_LAYOUT);
        }
    }

    /** @param budgetBytes bytes that a cycle may rewrite */
    public LimitMerges(long budgetBytes) {
        this.budgetBytes = budgetBytes;
    }

    @Override
    public void flatMap(TableReport report, Collector<MergeTask> out) {
        Cycle cycle = cycles.computeIfAbsent(report.cycle(), any -> new Cycle(budgetBytes));
        for (MergeTask merge : report.merges()) {
            if (merge.isForLayout()) {
                cycle.forLayout.offer(merge, Math.max(LEAST_COST, merge.bytes()), merge.gainPerByte(), false);
            } else {
                cycle.budget.offer(merge, merge.bytes(), merge.gainPerByte(), merge.isUrgent());
            }
        }
        cycle.reports++;
        if (cycle.reports < report.tables()) {
            return;
        }
        // An earlier, incomplete cycle lost reports to a failure
        cycles.keySet().removeIf(number -> number <= report.cycle());
        if (cycle.budget.refused() + cycle.forLayout.refused() > 0) {
            LOG.info(
                    "{} merges are postponed: together they exceed the {} bytes that a cycle may rewrite; so are {} for the layout, beyond a quarter of that",
                    cycle.budget.refused(),
                    budgetBytes,
                    cycle.forLayout.refused());
        }
        cycle.budget.merges().forEach(out::collect);
        cycle.forLayout.merges().forEach(out::collect);
    }
}
