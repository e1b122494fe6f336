package io.cordwood.hot.statistics;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.cordwood.hot.log.OffsetSpan;
import io.cordwood.logblock.schema.IndexKind;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Statistics of others with the right checksum: something, or nothing. {@code bin/test --fuzz} looks for others. */
class StatisticsFuzzTest {
    private static final OffsetSpan SPAN = new OffsetSpan(3, 100, 200);

    static Stream<byte[]> chunks() {
        return Stream.of(ChunkStatisticsFormat.encode(new ChunkStatistics(
                SPAN,
                Map.of(
                        "acme",
                        new TenantRows(5, 1_000, 2_000, new int[] {1, 7}),
                        "b",
                        new TenantRows(1, 0, 0, new int[0])))));
    }

    @MethodSource("chunks")
    @FuzzTest
    void chunk(byte[] bytes) {
        ChunkStatisticsFormat.decode(sealed(bytes));
    }

    static Stream<byte[]> columns() {
        return Stream.of(TenantColumnsFormat.encode(new TenantColumns(
                "acme", SPAN, Map.of("level", new MemberValues(IndexKind.KEYWORD, 0, 9)), new BloomFilter(new long[] {
                    5, 7
                }))));
    }

    @MethodSource("columns")
    @FuzzTest
    void columns(byte[] bytes) {
        TenantColumnsFormat.decode(sealed(bytes));
    }

    private static byte[] sealed(byte[] bytes) {
        byte[] sealed = bytes.clone();
        int length = sealed.length - ChunkStatisticsFormat.CHECKSUM_BYTES;
        if (length > 0) {
            ByteBuffer.wrap(sealed).putInt(length, ChunkStatisticsFormat.checksum(sealed, length));
        }
        return sealed;
    }
}
