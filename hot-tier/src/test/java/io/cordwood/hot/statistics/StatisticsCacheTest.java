package io.cordwood.hot.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.table.PartitionId;
import io.cordwood.hot.log.HotSpan;
import io.cordwood.hot.log.LogVersion;
import io.cordwood.hot.log.OffsetSpan;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.predicate.Predicate.ValueRange;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.TimeRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StatisticsCacheTest {
    private static final String STREAM = "logs";
    private static final String TOPIC = "topic";
    private static final int EPOCH = 3;
    private static final LogVersion LOG = new LogVersion(TOPIC, Map.of(0, EPOCH, 1, EPOCH, 2, EPOCH));
    private static final String TENANT = "acme";
    private static final long CHUNK = ChunkStatistics.OFFSETS;
    private static final Predicate ABSENT =
            new Predicate.In(Column.of("n", 1, ColumnType.BIGINT), List.of(ValueRange.equal(-1L)));

    /** What was published, in memory. */
    private static final class MemorySource implements StatisticsSource {
        private final Map<PartitionEpoch, Map<Long, ChunkStatistics>> chunks = new HashMap<>();
        private final Map<PartitionEpoch, Map<Long, TenantColumns>> columns = new HashMap<>();
        private final List<Long> columnsAsked = new ArrayList<>();
        private final List<Integer> answers = new ArrayList<>();
        private Runnable beforeColumns = () -> {};
        private int asked;

        void publish(int partition, long number, boolean withColumns) {
            ChunkRecorder recorder = new ChunkRecorder(partition, number * CHUNK);
            recorder.rows(TENANT, number * CHUNK, 1, 0, 0);
            recorder.advance((number + 1) * CHUNK);
            chunks.computeIfAbsent(id(partition), id -> new HashMap<>())
                    .put(number, recorder.takeNews().getFirst());
            if (withColumns) {
                ColumnsRecorder values = new ColumnsRecorder(new TermHash(), 1);
                values.integer("n", number);
                OffsetSpan span = new OffsetSpan(partition, number * CHUNK, (number + 1) * CHUNK);
                columns.computeIfAbsent(id(partition), id -> new HashMap<>())
                        .put(number, values.columns(TENANT, span).orElseThrow());
            }
        }

        private static PartitionEpoch id(int partition) {
            return new PartitionEpoch(new PartitionId(TOPIC, partition), EPOCH);
        }

        @Override
        public Map<PartitionEpoch, List<ChunkStatistics>> get(String stream, Map<PartitionEpoch, List<Long>> numbers) {
            return found(chunks, numbers);
        }

        @Override
        public Map<PartitionEpoch, List<TenantColumns>> getColumns(
                String stream, String tenantId, Map<PartitionEpoch, List<Long>> numbers) {
            beforeColumns.run();
            numbers.values().forEach(columnsAsked::addAll);
            answers.add(numbers.values().stream().mapToInt(List::size).sum());
            return found(columns, numbers);
        }

        private static <T> Map<PartitionEpoch, List<T>> found(
                Map<PartitionEpoch, Map<Long, T>> stored, Map<PartitionEpoch, List<Long>> numbers) {
            Map<PartitionEpoch, List<T>> found = new HashMap<>();
            numbers.forEach((partition, requested) -> {
                Map<Long, T> known = stored.getOrDefault(partition, Map.of());
                found.put(
                        partition,
                        requested.stream()
                                .filter(known::containsKey)
                                .map(known::get)
                                .toList());
            });
            return found;
        }

        @Override
        public void ask(String stream, String tenantId) {
            asked++;
        }

        @Override
        public void close() {}
    }

    private final MemorySource source = new MemorySource();
    private final AtomicLong nanos = new AtomicLong();
    private final StatisticsCache cache = new StatisticsCache(source, 16 << 20, nanos::get);

    private static List<OffsetSpan> hotSpans(int partition, long chunks) {
        return ChunkStatistics.cut(new OffsetSpan(partition, 0, chunks * CHUNK));
    }

    private KnownChunks find(List<OffsetSpan> spans) {
        return cache.find(STREAM, LOG, spans, Duration.ZERO);
    }

    /** Chunks of the spans that are left to be read after a condition that none of them satisfies. */
    private List<Long> left(List<OffsetSpan> spans) {
        List<HotSpan> asked = spans.stream().map(HotSpan::unknown).toList();
        return cache
                .findColumns(STREAM, LOG, TENANT, spans, Duration.ZERO)
                .prune(asked, ABSENT, new PruningMetrics())
                .stream()
                .map(span -> ChunkStatistics.number(span.span().from()))
                .toList();
    }

    private static List<Long> numbers(long from, long to) {
        return LongStream.range(from, to).boxed().toList();
    }

    @Test
    void ofManyChunksTheNewestColumnsAreFoundAndNoMissIsAskedForAgain() {
        for (long number = 0; number < 300; number++) {
            source.publish(0, number, number >= 280);
        }
        List<OffsetSpan> hotSpans = hotSpans(0, 300);
        find(hotSpans);
        assertThat(left(hotSpans)).isEqualTo(numbers(0, 280));
        assertThat(source.columnsAsked).hasSize(256).contains(299L).doesNotContain(0L);
        assertThat(source.answers).allMatch(size -> size <= 32);

        source.columnsAsked.clear();
        assertThat(left(hotSpans)).isEqualTo(numbers(0, 280));
        assertThat(source.columnsAsked).containsExactlyInAnyOrderElementsOf(numbers(0, 44));

        source.columnsAsked.clear();
        assertThat(left(hotSpans)).isEqualTo(numbers(0, 280));
        assertThat(source.columnsAsked).isEmpty();
        assertThat(source.asked).as("noted once a minute").isEqualTo(1);

        nanos.addAndGet(Duration.ofSeconds(61).toNanos());
        source.publish(0, 279, true);
        assertThat(left(hotSpans)).isEqualTo(numbers(0, 279));
        assertThat(source.asked).isEqualTo(2);
    }

    @Test
    void theNewestOfEachPartitionComeFirst() {
        List<OffsetSpan> spans = new ArrayList<>(hotSpans(0, 300));
        spans.addAll(hotSpans(1, 300));
        for (int partition = 0; partition < 2; partition++) {
            for (long number = 290; number < 300; number++) {
                source.publish(partition, number, true);
            }
        }
        assertThat(left(spans)).hasSize(580).doesNotContainAnyElementsOf(numbers(290, 300));
    }

    @Test
    void whatWasNotedUnderAnotherLeaderCountsForNothing() {
        source.publish(0, 0, true);
        List<OffsetSpan> hotSpans = hotSpans(0, 1);
        assertThat(find(hotSpans).prune(hotSpans, ScanBounds.of("other", TimeRange.ALL), new PruningMetrics()))
                .isEmpty();
        for (LogVersion log : List.of(new LogVersion(TOPIC, Map.of(0, EPOCH + 1)), LogVersion.of(TOPIC))) {
            assertThat(cache.find(STREAM, log, hotSpans, Duration.ZERO)
                            .prune(hotSpans, ScanBounds.of("other", TimeRange.ALL), new PruningMetrics()))
                    .as(log.toString())
                    .hasSize(1);
        }
    }

    @Test
    void columnsThatComeLateAreFoundWhileTheJobHasNotReadTheChunk() {
        List<OffsetSpan> hotSpans = hotSpans(0, 1);
        find(hotSpans);
        assertThat(left(hotSpans)).containsExactly(0L);
        source.publish(0, 0, true);
        assertThat(left(hotSpans)).isEmpty();
    }

    @Test
    void whileColumnsFailChunksDoNot() {
        source.publish(0, 0, true);
        List<OffsetSpan> hotSpans = hotSpans(0, 1);
        source.beforeColumns = () -> {
            throw new IllegalStateException("Read timed out");
        };
        assertThat(left(hotSpans)).containsExactly(0L);
        source.beforeColumns = () -> {};
        assertThat(left(hotSpans)).as("left alone for a while").containsExactly(0L);
        PruningMetrics metrics = new PruningMetrics();
        find(hotSpans).prune(hotSpans, ScanBounds.of("other", TimeRange.ALL), metrics);
        assertThat(metrics.pruned.sum()).isEqualTo(1);
        nanos.addAndGet(Duration.ofSeconds(6).toNanos());
        assertThat(left(hotSpans)).isEmpty();
    }

    @Test
    void aQueryWaitsForSlowColumnsNoLongerThanThatPays() {
        for (long number = 0; number < 300; number++) {
            source.publish(0, number, true);
        }
        source.beforeColumns = () -> nanos.addAndGet(Duration.ofMillis(200).toNanos());
        assertThat(left(hotSpans(0, 300))).as("two answers").isEqualTo(numbers(0, 300 - 64));
    }

    @Test
    void whileColumnsAreSlowChunksAreNot() throws Exception {
        source.publish(0, 0, true);
        List<OffsetSpan> hotSpans = hotSpans(0, 1);
        CountDownLatch fetching = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        source.beforeColumns = () -> {
            fetching.countDown();
            try {
                answered.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };
        CompletableFuture<List<Long>> slow = CompletableFuture.supplyAsync(() -> left(hotSpans));
        assertThat(fetching.await(30, TimeUnit.SECONDS)).isTrue();
        PruningMetrics metrics = new PruningMetrics();
        find(hotSpans).prune(hotSpans, ScanBounds.of("other", TimeRange.ALL), metrics);
        assertThat(metrics.pruned.sum()).isEqualTo(1);
        answered.countDown();
        assertThat(slow.get(30, TimeUnit.SECONDS)).isEmpty();
    }

    @Test
    void columnsBeyondABudgetAreTheOldest() {
        Map<String, Long> lengths = new HashMap<>();
        for (long number = 98; number < 103; number++) {
            lengths.put(StatisticsStore.field(number, EPOCH, "a/b"), 60L);
            lengths.put(StatisticsStore.field(number, EPOCH, "c"), 40L);
        }
        assertThat(StatisticsStore.excess(lengths, 500)).isEmpty();
        assertThat(StatisticsStore.excess(lengths, 350))
                .containsExactlyInAnyOrder("98@3/a/b", "98@3/c", "99@3/a/b", "99@3/c");
        assertThat(StatisticsStore.excess(lengths, 0)).hasSize(10);
    }
}
