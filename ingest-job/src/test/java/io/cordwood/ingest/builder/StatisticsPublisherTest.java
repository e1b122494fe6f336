package io.cordwood.ingest.builder;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.table.PartitionId;
import io.cordwood.hot.statistics.ChunkStatistics;
import io.cordwood.hot.statistics.PartitionEpoch;
import io.cordwood.hot.statistics.StatisticsSink;
import io.cordwood.hot.statistics.TenantColumns;
import io.cordwood.ingest.source.LogPartition;
import io.cordwood.logblock.schema.TimeRange;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StatisticsPublisherTest {
    /** Takes chunks, and refuses columns. */
    private static final class SinkWithoutColumns implements StatisticsSink {
        private final Set<Long> wholeChunks = ConcurrentHashMap.newKeySet();
        private final AtomicInteger refused = new AtomicInteger();

        @Override
        public void put(String stream, PartitionEpoch partition, Collection<ChunkStatistics> chunks) {
            chunks.stream()
                    .filter(ChunkStatistics::isWhole)
                    .map(ChunkStatistics::number)
                    .forEach(wholeChunks::add);
        }

        @Override
        public void putColumns(String stream, PartitionEpoch partition, Collection<TenantColumns> columns) {
            refused.incrementAndGet();
            throw new IllegalStateException("OOM command not allowed");
        }

        @Override
        public void trim(String stream, PartitionId partition, long below) {}

        @Override
        public void trimColumns(String stream, PartitionId partition, long below) {}

        @Override
        public Set<String> asked(String stream, Instant since) {
            return Set.of("acme");
        }

        @Override
        public void close() {}
    }

    private static final class Metrics extends UnregisteredMetricsGroup {
        private final Map<String, Counter> counters = new ConcurrentHashMap<>();

        @Override
        public Counter counter(String name) {
            return counters.computeIfAbsent(name, super::counter);
        }
    }

    @Test
    void chunksArePublishedWhileColumnsFail() throws InterruptedException {
        SinkWithoutColumns sink = new SinkWithoutColumns();
        Metrics metrics = new Metrics();
        PartitionBuffers partition = new PartitionBuffers(new LogPartition("logs", "topic", 0), 0);
        partition.leaderEpoch(4);
        long nowMillis = 0;
        try (StatisticsPublisher publisher = new StatisticsPublisher(sink, "test", new BuildMetrics(metrics))) {
            // Columns are known once it is known who asks for them, and of the chunk after that
            for (long number = 0; sink.refused.get() < 3; number++) {
                for (long offset = number * ChunkStatistics.OFFSETS;
                        offset < (number + 1) * ChunkStatistics.OFFSETS;
                        offset++) {
                    partition.advance(offset, 1);
                    partition.observer("acme").ifPresent(observer -> observer.integer("n", 1));
                    partition.rows("acme", 1, new TimeRange(0, 0));
                }
                while (!sink.wholeChunks.contains(number)) {
                    publisher.publish(List.of(partition), nowMillis);
                    nowMillis += 2000;
                    Thread.sleep(1);
                }
            }
        }
        assertThat(metrics.counters.get("columns_failed").getCount()).isBetween(2L, 3L);
        assertThat(metrics.counters.get("statistics_failed").getCount()).isZero();
    }
}
