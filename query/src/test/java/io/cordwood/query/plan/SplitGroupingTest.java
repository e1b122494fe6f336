package io.cordwood.query.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.query.binding.TableBinding;
import io.cordwood.query.plan.PlanRequest.Readers;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SplitGroupingTest {
    private static final TableBinding BINDING = new TableBinding(Map.of("tenant_id", "acme"), Map.of());

    private final SplitGrouping grouping = new SplitGrouping(new Readers(1, 4));

    private static List<ScannedLogBlock> logBlocks(int count, long bytes, long rows) {
        return IntStream.range(0, count)
                .mapToObj(i -> new ScannedLogBlock("file:///l/" + i, bytes, rows, i * 1000L, i * 1000L + 999, BINDING))
                .toList();
    }

    private static List<ScannedLogBlock> read(List<LogBlockGroup> splits) {
        return splits.stream().flatMap(split -> split.logBlocks().stream()).toList();
    }

    @Test
    void smallOnesShareSplitsAndNoneIsLost() {
        List<ScannedLogBlock> small = logBlocks(10_000, 20_000, 100);
        List<LogBlockGroup> splits = grouping.any(small, TimeRange.ALL, true);
        assertThat(splits).hasSizeBetween(8, 64);
        assertThat(read(splits)).isEqualTo(small);
    }

    @Test
    void largeOnesStandAlone() {
        List<ScannedLogBlock> large = logBlocks(9, 128 << 20, 150_000);
        assertThat(grouping.any(large, TimeRange.ALL, true)).hasSize(9);
        assertThat(grouping.any(logBlocks(2, 10_000, 10), TimeRange.ALL, true)).hasSize(1);
        assertThat(grouping.any(List.of(), TimeRange.ALL, true)).isEmpty();
    }

    @Test
    void partsOfALargeOneCoverAllTimesOnce() {
        List<ScannedLogBlock> large = logBlocks(1, 128 << 20, 4_000_000);
        List<LogBlockGroup> splits = grouping.any(large, TimeRange.ALL, true);
        assertThat(splits).hasSize(8);
        List<TimeRange> parts = splits.stream()
                .map(split -> split.logBlocks().getFirst().requested())
                .toList();
        assertThat(parts.getFirst().fromMicros()).isEqualTo(Long.MIN_VALUE);
        assertThat(parts.getLast().toMicros()).isEqualTo(Long.MAX_VALUE);
        for (int i = 1; i < parts.size(); i++) {
            assertThat(parts.get(i).fromMicros()).isEqualTo(parts.get(i - 1).toMicros() + 1);
        }
        assertThat(grouping.any(large, TimeRange.ALL, false)).hasSize(1);
    }

    @Test
    void onlyTheRequestedTimeIsCut() {
        List<ScannedLogBlock> large = logBlocks(1, 128 << 20, 4_000_000);
        List<LogBlockGroup> splits = grouping.any(large, new TimeRange(900, 5_000), true);
        assertThat(splits).hasSize(4);
        assertThat(splits.subList(1, 4))
                .extracting(split -> split.logBlocks().getFirst().requested().fromMicros())
                .allMatch(from -> from > 900 && from < 999);
        // A hundredth is too little for parts.
        assertThat(grouping.any(large, new TimeRange(990, 5_000), true)).hasSize(1);
    }

    @Test
    void timesOutsideTheRequestTakeNothingFromTheRest() {
        List<ScannedLogBlock> all = logBlocks(100, 128 << 20, 4_000_000);
        List<LogBlockGroup> splits = grouping.any(all, new TimeRange(1_000, 1_999), true);
        assertThat(splits.stream()
                        .flatMap(split -> split.logBlocks().stream())
                        .filter(part -> !part.requested().equals(TimeRange.ALL)))
                .hasSizeBetween(6, 8)
                .allMatch(part -> part.fromMicros() == 1_000);
        assertThat(splits).hasSizeLessThan(20);
    }

    @Test
    void topNBeginsWithFew() {
        List<ScannedLogBlock> all = logBlocks(10_000, 20_000, 100);
        List<LogBlockGroup> splits = grouping.ordered(all);
        assertThat(splits.getFirst().logBlocks()).hasSize(4);
        assertThat(splits).hasSizeLessThan(60);
        assertThat(read(splits)).isEqualTo(all);
        assertThat(splits).first().extracting(LogBlockGroup::order).isEqualTo(SplitOrder.FIRST);
        assertThat(splits.subList(1, splits.size()))
                .extracting(LogBlockGroup::order)
                .containsOnly(SplitOrder.LATER);
        assertThat(new SplitGrouping(new Readers(2, 4)).ordered(all))
                .extracting(LogBlockGroup::order)
                .containsOnly(SplitOrder.ANY);
    }
}
