package io.cordwood.hot;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.hot.log.OffsetSpan;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class TailPositionsTest {
    @Property
    void roundsReadEachOffsetOnce(
            @ForAll @Size(min = 1, max = 6) List<@IntRange(max = 500) Integer> lengths,
            @ForAll @IntRange(min = 1, max = 200) int most) {
        Map<Integer, Long> ends = new TreeMap<>();
        for (int partition = 0; partition < lengths.size(); partition++) {
            ends.put(partition, (long) lengths.get(partition));
        }
        TailPositions positions = new TailPositions(new LogOffsets("id", Map.of(0, 0L)));
        Map<Integer, Long> read = new TreeMap<>();
        List<OffsetSpan> spans = positions.next(ends, most);
        while (!spans.isEmpty()) {
            assertThat(spans.stream().mapToLong(OffsetSpan::length).sum()).isBetween(1L, (long) most);
            for (OffsetSpan span : spans) {
                assertThat(span.isEmpty()).isFalse();
                assertThat(span.from()).isEqualTo(read.getOrDefault(span.partition(), 0L));
                read.put(span.partition(), span.to());
            }
            positions.advance(spans);
            spans = positions.next(ends, most);
        }
        ends.values().removeIf(end -> end == 0);
        assertThat(read).isEqualTo(ends);
    }

    @Test
    void whatABrokerThatStartsSaysTooLowIsWaitedFor() {
        TailPositions positions = new TailPositions(new LogOffsets("id", Map.of(0, 100L)));

        assertThat(positions.next(Map.of(0, 90L), 10)).isEmpty();
        assertThat(positions.next(Map.of(0, 101L), 10)).containsExactly(new OffsetSpan(0, 100, 101));
    }

    @Test
    void whatIsGoneIsCounted() {
        TailPositions positions = new TailPositions(new LogOffsets("id", Map.of(0, 100L, 1, 100L)));

        assertThat(positions.skipTo(Map.of(0, 130L, 1, 50L, 2, 7L))).isEqualTo(37);
        assertThat(positions.next(Map.of(0, 131L, 1, 100L, 2, 7L), 10)).containsExactly(new OffsetSpan(0, 130, 131));
    }
}
