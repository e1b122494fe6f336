package io.cordwood.compaction.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.api.common.functions.util.ListCollector;
import org.junit.jupiter.api.Test;

final class LimitMergesTest {
    private static final long MB = 1 << 20;

    private static MergeTask merge(String tenant, long bytes, boolean isForLayout) {
        return new MergeTask(
                tenant, "logs", 0, new String[] {tenant}, 1, bytes, isForLayout ? 0.1 : 2, false, isForLayout, true);
    }

    @Test
    void mergesForTheLayoutHaveAQuarterOfTheBudgetBesides() {
        LimitMerges limit = new LimitMerges(400 * MB);
        List<MergeTask> taken = new ArrayList<>();
        MergeTask[] forLayout = IntStream.range(0, 5)
                .mapToObj(i -> merge("layout" + i, 50 * MB, true))
                .toArray(MergeTask[]::new);
        limit.flatMap(new TableReport(0, 2, forLayout), new ListCollector<>(taken));
        assertThat(taken).as("not before all tables have reported").isEmpty();
        limit.flatMap(
                new TableReport(
                        0, 2, new MergeTask[] {merge("acme", 300 * MB, false), merge("other", 200 * MB, false)}),
                new ListCollector<>(taken));
        assertThat(taken).extracting(MergeTask::isForLayout).containsExactly(false, true, true);
        assertThat(taken.getFirst().tenantId()).isEqualTo("other");
    }

    @Test
    void smallMergesForTheLayoutCountAsFourMegabytes() {
        List<MergeTask> taken = new ArrayList<>();
        MergeTask[] small = IntStream.range(0, 20)
                .mapToObj(i -> merge("layout" + i, 1000, true))
                .toArray(MergeTask[]::new);
        new LimitMerges(4 * 40 * MB).flatMap(new TableReport(0, 1, small), new ListCollector<>(taken));
        assertThat(taken).hasSize(10);
    }
}
