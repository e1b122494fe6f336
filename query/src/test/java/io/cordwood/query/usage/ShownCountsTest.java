package io.cordwood.query.usage;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.query.plan.PlanMetrics;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShownCountsTest {
    @Test
    void whoIsNoOperatorSeesCountsOfOwnLogBlocksAndRows() {
        assertThat(ShownCounts.OWN.counts(new PlanMetrics().counts()).keySet())
                .contains("LogBlocks considered", "LogBlocks pruned by time")
                .allMatch(name -> name.contains("LogBlocks") || name.contains("token filters"));
        Map<String, Long> ofTopic = Map.of("hot records read", 7L, "hot chunks read", 2L, "hot rows selected", 3L);
        assertThat(ShownCounts.OWN.counts(ofTopic)).containsExactly(Map.entry("hot rows selected", 3L));
        assertThat(ShownCounts.OWN.bytes(100)).isZero();
        assertThat(ShownCounts.ALL.counts(ofTopic)).isEqualTo(ofTopic);
        assertThat(ShownCounts.ALL.bytes(100)).isEqualTo(100);
        assertThat(ShownCounts.to(true)).isEqualTo(ShownCounts.ALL);
        assertThat(ShownCounts.to(false)).isEqualTo(ShownCounts.OWN);
    }
}
