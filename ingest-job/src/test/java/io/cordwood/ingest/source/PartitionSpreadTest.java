package io.cordwood.ingest.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.junit.jupiter.api.Test;

class PartitionSpreadTest {
    @Property
    void spreadsPartitionsEvenly(
            @ForAll String topic,
            @ForAll @IntRange(min = 1, max = 512) int partitions,
            @ForAll @IntRange(min = 1, max = 64) int parallelism) {
        int[] load = load(topic, partitions, parallelism);
        int spread =
                Arrays.stream(load).max().getAsInt() - Arrays.stream(load).min().getAsInt();
        boolean powerOfTwo = Integer.bitCount(parallelism) == 1;
        assertThat(spread).isLessThanOrEqualTo(powerOfTwo ? 2 : 8);
    }

    @Test
    void isPerfectForPowersOfTwo() {
        for (int parallelism = 1; parallelism <= 64; parallelism *= 2) {
            assertThat(load("logs", 512, parallelism)).containsOnly(512 / parallelism);
        }
    }

    @Property
    void dependsOnNothingButNumberAndName(@ForAll @IntRange(min = 0, max = 5000) int partition) {
        int group = KeyGroupRangeAssignment.assignToKeyGroup(
                new LogPartition("logs", "one id", partition), PartitionSpread.MAX_PARALLELISM);
        assertThat(group)
                .isEqualTo(PartitionSpread.keyGroup("logs", partition))
                .isEqualTo(KeyGroupRangeAssignment.assignToKeyGroup(
                        new LogPartition("logs", "another id", partition), PartitionSpread.MAX_PARALLELISM));
    }

    /** Checkpoints rest on these numbers: a change would look for rows where they are not. */
    @Test
    void neverChanges() {
        assertThat(new int[] {
                    PartitionSpread.keyGroup("logs", 0),
                    PartitionSpread.keyGroup("logs", 1),
                    PartitionSpread.keyGroup("logs", 2),
                    PartitionSpread.keyGroup("request_log", 511),
                    PartitionSpread.hashCode("logs", 0),
                    PartitionSpread.hashCode("logs", 1)
                })
                .containsExactly(982, 54, 566, 807, 1, 447);
    }

    private static int[] load(String topic, int partitions, int parallelism) {
        int[] load = new int[parallelism];
        for (int p = 0; p < partitions; p++) {
            load[
                    KeyGroupRangeAssignment.assignKeyToParallelOperator(
                            new LogPartition(topic, "id", p), PartitionSpread.MAX_PARALLELISM, parallelism)]++;
        }
        return load;
    }
}
