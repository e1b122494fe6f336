package io.cordwood.compaction.plan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BudgetTest {
    @Test
    void theWorthiestComeFirstAndTheOthersWait() {
        Budget<String> budget = new Budget<>(100);
        budget.offer("poor", 60, 0.5, false);
        budget.offer("rich", 50, 2, false);
        budget.offer("middling", 50, 1, false);
        assertThat(budget.merges()).containsExactly("rich", "middling");
        assertThat(budget.refused()).isEqualTo(1);
    }

    @Test
    void whatIsUrgentComesBeforeWhatPays() {
        Budget<String> budget = new Budget<>(100);
        budget.offer("rich", 60, 100, false);
        budget.offer("urgent", 60, 0, true);
        assertThat(budget.merges()).containsExactly("urgent");
    }

    @Test
    void aMergeAboveTheBudgetIsStillDone() {
        Budget<String> budget = new Budget<>(100);
        budget.offer("huge", 1_000, 3, false);
        assertThat(budget.merges()).containsExactly("huge");
    }
}
