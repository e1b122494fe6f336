package io.cordwood.catalog.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.NotEmpty;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableOffsetsTest {
    private static final PartitionId A0 = new PartitionId("topicA", 0);
    private static final PartitionId A10 = new PartitionId("topicA", 10);
    private static final PartitionId B0 = new PartitionId("topicB", 0);

    @Test
    void isCompactSortedJson() {
        TableOffsets offsets = TableOffsets.NONE
                .with(B0, 7)
                .with(A10, 1)
                .with(A0, Long.MAX_VALUE)
                .with(A10, 2);
        assertThat(offsets.toJson())
                .isEqualTo("{\"topicA\":{\"0\":9223372036854775807,\"10\":2},\"topicB\":{\"0\":7}}");
        assertThat(TableOffsets.fromJson(offsets.toJson())).isEqualTo(offsets).hasSameHashCodeAs(offsets);
    }

    @Test
    void aPartitionWithoutEntryIsAtZero() {
        assertThat(TableOffsets.fromProperties(Map.of()).offset(A0)).isZero();
        assertThat(TableOffsets.NONE.find(A0)).isEmpty();
        assertThat(TableOffsets.fromProperties(Map.of(TableOffsets.PROPERTY, "{\"topicA\":{\"0\":5}}"))
                        .find(A0))
                .hasValue(5);
    }

    @Test
    void maxTakesTheLargerOfEach() {
        TableOffsets one = TableOffsets.of(Map.of(A0, 5L, A10, 9L));
        TableOffsets other = TableOffsets.of(Map.of(A0, 6L, A10, 8L, B0, 1L));
        assertThat(one.max(other)).isEqualTo(TableOffsets.of(Map.of(A0, 6L, A10, 9L, B0, 1L)));
    }

    @Test
    void forgetsTopics() {
        assertThat(TableOffsets.of(Map.of(A0, 5L, B0, 1L)).withoutTopics(Set.of("topicA", "unknown")))
                .isEqualTo(TableOffsets.of(Map.of(B0, 1L)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{\"t\":{\"0\":-1}}",
                "{\"t\":{\"0\":1.5}}",
                "{\"t\":{\"0\":\"1\"}}",
                "{\"t\":{\"x\":1}}",
                "{\"t\":{\"-1\":1}}",
                "{\"\":{\"0\":1}}",
                "{\"t\":{\"0\":9223372036854775808}}",
                "{\"t\":5}"
            })
    void refusesMalformedJson(String json) {
        assertThatThrownBy(() -> TableOffsets.fromJson(json)).isInstanceOf(IllegalArgumentException.class);
    }

    @Property(tries = 200)
    void roundTrip(
            @ForAll @Size(max = 20)
                    Map<
                                    @AlphaChars @NotEmpty String,
                                    @Size(max = 50) Map<@IntRange(min = 0) Integer, @LongRange(min = 0) Long>>
                            byTopic) {
        TableOffsets offsets = TableOffsets.NONE;
        for (var topic : byTopic.entrySet()) {
            for (var partition : topic.getValue().entrySet()) {
                offsets = offsets.with(new PartitionId(topic.getKey(), partition.getKey()), partition.getValue());
            }
        }
        assertThat(TableOffsets.fromJson(offsets.toJson())).isEqualTo(offsets);
        assertThat(TableOffsets.of(offsets.entries())).isEqualTo(offsets);
    }
}
