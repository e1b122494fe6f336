package io.cordwood.hot.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.hot.log.HotSpan;
import io.cordwood.hot.log.OffsetSpan;
import io.cordwood.logblock.schema.TimeRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ChunkStatisticsTest {
    private static final int PARTITION = 3;

    private record Row(long offset, String tenantId, long micros) {}

    /** Whatever part of a log statistics cover, no matching row is left out, and what is listed holds all of it. */
    @Property(tries = 60)
    void pruningLeavesNoMatchingRowOut(@ForAll long seed, @ForAll @IntRange(min = 1, max = 40) int tenants) {
        Random random = new Random(seed);
        long start = random.nextInt(30_000);
        ChunkRecorder recorder = new ChunkRecorder(PARTITION, start);
        KnownChunks known = new KnownChunks();
        List<Row> rows = new ArrayList<>();
        long offset = start;
        for (int i = random.nextInt(20_000); i > 0; i--) {
            offset += random.nextInt(10) == 0 ? random.nextInt(500) : 0;
            if (random.nextInt(20) > 0) {
                Row row = new Row(offset, "tenant-" + skewed(random, tenants), i * 1000L + random.nextInt(100_000));
                rows.add(row);
                recorder.rows(row.tenantId(), offset, 1, row.micros(), row.micros());
            }
            offset++;
            if (random.nextInt(3_000) == 0) {
                recorder.advance(offset);
                recorder.takeNews().forEach(chunk -> known.add(roundTrip(chunk)));
            }
        }
        OffsetSpan asked = new OffsetSpan(PARTITION, random.nextLong(offset + 1), offset + random.nextInt(100));
        long fromMicros = random.nextLong(20_000_000);
        TimeRange time = random.nextBoolean()
                ? TimeRange.ALL
                : new TimeRange(fromMicros, fromMicros + random.nextLong(3_000_000));
        String tenantId = "tenant-" + skewed(random, tenants);

        List<HotSpan> ofOne = known.prune(List.of(asked), ScanBounds.of(tenantId, time), new PruningMetrics());
        List<HotSpan> ofAll = known.prune(List.of(asked), ScanBounds.ofTenants(id -> true, time), new PruningMetrics());

        for (Row row : rows) {
            boolean isAsked = asked.from() <= row.offset() && row.offset() < asked.to();
            boolean isInTime = time.fromMicros() <= row.micros() && row.micros() <= time.toMicros();
            if (isAsked && isInTime) {
                assertThat(isRead(ofAll, row)).isTrue();
                assertThat(isRead(ofOne, row) || !row.tenantId().equals(tenantId))
                        .isTrue();
            }
            if (row.tenantId().equals(tenantId) && isCovered(ofOne, row)) {
                assertThat(isRead(ofOne, row))
                        .as("rows of other times in a span that is kept as a whole")
                        .isTrue();
            }
        }
    }

    private static int skewed(Random random, int tenants) {
        return (int) (tenants * Math.pow(random.nextDouble(), 4));
    }

    private static boolean isRead(List<HotSpan> spans, Row row) {
        return spans.stream()
                .filter(span -> span.time().fromMicros() <= row.micros()
                        && row.micros() <= span.time().toMicros())
                .flatMap(span -> span.reads().stream())
                .anyMatch(read -> read.from() <= row.offset() && row.offset() < read.to());
    }

    private static boolean isCovered(List<HotSpan> spans, Row row) {
        return spans.stream()
                .map(HotSpan::span)
                .anyMatch(span -> span.from() <= row.offset() && row.offset() < span.to());
    }

    private static ChunkStatistics roundTrip(ChunkStatistics chunk) {
        byte[] bytes = ChunkStatisticsFormat.encode(chunk);
        ChunkStatistics decoded = ChunkStatisticsFormat.decode(bytes).orElseThrow();
        assertThat(decoded.span()).isEqualTo(chunk.span());
        assertThat(decoded.tenants().keySet()).isEqualTo(chunk.tenants().keySet());
        chunk.tenants().forEach((tenantId, rows) -> {
            TenantRows back = decoded.tenants().get(tenantId);
            assertThat(List.of(back.rows(), back.minMicros(), back.maxMicros()))
                    .isEqualTo(List.of(rows.rows(), rows.minMicros(), rows.maxMicros()));
            assertThat(back.offsets()).isEqualTo(rows.offsets());
        });
        return decoded;
    }

    @Test
    void whatIsDamagedIsUnknown() {
        ChunkRecorder recorder = new ChunkRecorder(PARTITION, 10);
        recorder.rows("acme", 12, 2, 5, 9);
        byte[] bytes = ChunkStatisticsFormat.encode(recorder.takeNews().getFirst());
        assertThat(ChunkStatisticsFormat.decode(bytes)).isPresent();
        for (int i = 0; i < bytes.length; i++) {
            byte[] damaged = bytes.clone();
            damaged[i] ^= 0x10;
            assertThat(ChunkStatisticsFormat.decode(damaged)).isEmpty();
            byte[] cut = Arrays.copyOf(bytes, i);
            assertThat(ChunkStatisticsFormat.decode(cut)).isEmpty();
        }
    }

    @Test
    void aChunkThatGrowsIsTakenAgainAndAWholeOneOnce() {
        ChunkRecorder recorder = new ChunkRecorder(PARTITION, 8000);
        recorder.rows("acme", 8100, 1, 1, 1);
        assertThat(recorder.takeNews()).extracting(ChunkStatistics::span).containsExactly(span(8000, 8101));
        assertThat(recorder.takeNews()).isEmpty();
        recorder.advance(8150);
        assertThat(recorder.takeNews()).extracting(ChunkStatistics::span).containsExactly(span(8000, 8150));
        recorder.rows("acme", 20_000, 1, 1, 1);
        assertThat(recorder.takeNews())
                .extracting(ChunkStatistics::span)
                .containsExactly(span(8000, 8192), span(8192, 16_384), span(16_384, 20_001));
        assertThat(recorder.takeNews()).isEmpty();
    }

    private static OffsetSpan span(long from, long to) {
        return new OffsetSpan(PARTITION, from, to);
    }
}
