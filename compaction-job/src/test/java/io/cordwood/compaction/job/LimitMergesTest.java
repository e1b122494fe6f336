package io.cordwood.compaction.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.api.common.functions.util.ListCollector;
import org.junit.jupiter.api.Test;

final class LimitMergesTest {
    private static MergeTask merge(String tenant, long bytes, boolean isForLayout) {
        return new MergeTask(
                tenant, "logs", 0, new String[] {tenant}, 1, bytes, isForLayout ? 0.1 : 2, false, isForLayout, true);
    }

    @Test
    void mergesForTheLayoutHaveAQuarterOfTheBudgetBesides() {
        LimitMerges limit = new LimitMerges(400);
        List<MergeTask> taken = new ArrayList<>();
        MergeTask[] forLayout = IntStream.range(0, 5)
                .mapToObj(i -> merge("layout" + i, 50, true))
                .toArray(MergeTask[]::new);
        limit.flatMap(new TableReport(0, 2, forLayout), new ListCollector<>(taken));
        assertThat(taken).as("not before all tables have reported").isEmpty();
        limit.flatMap(
                new TableReport(0, 2, new MergeTask[] {merge("acme", 300, false), merge("other", 200, false)}),
                new ListCollector<>(taken));
        assertThat(taken).extracting(MergeTask::isForLayout).containsExactly(false, true, true);
        assertThat(taken.getFirst().tenantId()).isEqualTo("other");
    }
}
