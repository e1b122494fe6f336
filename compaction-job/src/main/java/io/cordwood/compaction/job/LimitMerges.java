package io.cordwood.compaction.job;

import io.cordwood.compaction.plan.Budget;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.util.Collector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits for the reports of all tables of a cycle, and emits the most profitable of their merges within the budget. */
public final class LimitMerges implements FlatMapFunction<TableReport, MergeTask> {
    private static final long serialVersionUID = 1;
    private static final Logger LOG = LoggerFactory.getLogger(LimitMerges.class);

    private final long budgetBytes;
    private final Map<Long, Cycle> cycles = new HashMap<>();

    private static final class Cycle {
        private final Budget<MergeTask> budget;
        private int reports;

        Cycle(long budgetBytes) {
            budget = new Budget<>(budgetBytes);
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
            cycle.budget.offer(merge, merge.bytes(), merge.gainPerByte(), merge.isUrgent());
        }
        cycle.reports++;
        if (cycle.reports < report.tables()) {
            return;
        }
        // An earlier, incomplete cycle lost reports to a failure
        cycles.keySet().removeIf(number -> number <= report.cycle());
        if (cycle.budget.refused() > 0) {
            LOG.info(
                    "{} merges are postponed: together they exceed the {} bytes that a cycle may rewrite",
                    cycle.budget.refused(),
                    budgetBytes);
        }
        cycle.budget.merges().forEach(out::collect);
    }
}
