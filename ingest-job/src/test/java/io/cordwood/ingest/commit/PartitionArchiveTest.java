package io.cordwood.ingest.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.ingest.source.LogPartition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

class PartitionArchiveTest {
    private static final LogPartition PARTITION = new LogPartition("logs", "id", 0);

    @Test
    void advancesOnceAllFlushesBeforeAreAcknowledged() {
        PartitionArchive archive = new PartitionArchive(PARTITION);
        archive.progress(new Progress(PARTITION, 2, 50, 7), 1000);
        complete(archive, 1);
        assertThat(archive.archivedThrough()).isZero();
        archive.acknowledge(1);
        assertThat(archive.archivedThrough()).isZero();
        archive.acknowledge(0);
        assertThat(archive.archivedThrough()).isEqualTo(50);
        assertThat(archive.unarchivedAgeMicros(1007)).isEqualTo(1000);
    }

    @Test
    void takesAcknowledgementsAheadOfProgress() {
        PartitionArchive archive = new PartitionArchive(PARTITION);
        archive.acknowledge(0);
        archive.progress(new Progress(PARTITION, 1, 10, Long.MAX_VALUE), 0);
        complete(archive, 1);
        assertThat(archive.archivedThrough()).isEqualTo(10);
        assertThat(archive.unarchivedAgeMicros(99)).isZero();
    }

    @Test
    void raisesTheAlarmWhenACommitHangs() {
        PartitionArchive archive = new PartitionArchive(PARTITION);
        archive.progress(new Progress(PARTITION, 1, 10, Long.MAX_VALUE), 5);
        assertThat(archive.unarchivedAgeMicros(105)).isEqualTo(100);
    }

    @Test
    void knowsAfterARestartSinceWhenACommitHangs() throws IOException {
        PartitionArchive archive = new PartitionArchive(PARTITION);
        archive.progress(new Progress(PARTITION, 1, 10, Long.MAX_VALUE), 5);
        assertThat(archive.copy().unarchivedAgeMicros(105)).isEqualTo(100);

        PartitionArchiveSerializer serializer = new PartitionArchiveSerializer();
        DataOutputSerializer out = new DataOutputSerializer(64);
        serializer.serialize(archive, out);
        PartitionArchive restored = serializer.deserialize(new DataInputDeserializer(out.getCopyOfBuffer()));
        assertThat(restored.unarchivedAgeMicros(105)).isEqualTo(100);
    }

    @Property
    void neverPassesAnUnacknowledgedFlush(@ForAll long seed, @ForAll @IntRange(min = 1, max = 200) int steps) {
        Random random = new Random(seed);
        PartitionArchive archive = new PartitionArchive(PARTITION);
        List<Long> outstanding = new ArrayList<>();
        Set<Long> acknowledged = new HashSet<>();
        List<Progress> all = new ArrayList<>();
        List<Progress> unreleased = new ArrayList<>();
        long flushes = 0;
        long lowest = 0;
        for (int step = 0; step < steps; step++) {
            for (int i = random.nextInt(3); i > 0; i--) {
                outstanding.add(flushes++);
            }
            lowest += random.nextInt(5);
            Progress progress = new Progress(PARTITION, flushes, lowest, Long.MAX_VALUE);
            archive.progress(progress, step);
            archive.seal(step);
            unreleased.add(progress);
            if (random.nextInt(3) > 0) {
                archive.complete(step);
                all.addAll(unreleased);
                unreleased.clear();
            }
            Collections.shuffle(outstanding, random);
            for (int i = random.nextInt(3); i > 0 && !outstanding.isEmpty(); i--) {
                long number = outstanding.removeLast();
                acknowledged.add(number);
                archive.acknowledge(number);
            }
            if (random.nextInt(10) == 0) {
                archive = archive.copy();
                // Only a complete checkpoint is restored.
                all.addAll(unreleased);
                unreleased.clear();
            }
            assertThat(archive.archivedThrough()).isLessThanOrEqualTo(allowed(all, acknowledged));
        }
        archive.complete(steps);
        for (long number : outstanding) {
            archive.acknowledge(number);
        }
        assertThat(archive.archivedThrough()).isEqualTo(lowest);
    }

    private static void complete(PartitionArchive archive, long checkpoint) {
        archive.seal(checkpoint);
        archive.complete(checkpoint);
    }

    private static long allowed(List<Progress> all, Set<Long> acknowledged) {
        long allowed = 0;
        for (Progress progress : all) {
            boolean complete = true;
            for (long number = 0; number < progress.flushes(); number++) {
                complete &= acknowledged.contains(number);
            }
            allowed = complete ? Math.max(allowed, progress.lowestUnflushed()) : allowed;
        }
        return allowed;
    }
}
