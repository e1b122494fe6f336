package io.cordwood.logblock.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.logblock.io.LogBlockException;
import io.cordwood.logblock.io.MeteredReader;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.match.MatchQuery;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.LogBlockOptions;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.logblock.testing.BytesReader;
import io.cordwood.logblock.testing.SampleRows;
import io.cordwood.logblock.vector.BooleanVector;
import io.cordwood.logblock.vector.DecodedCache;
import io.cordwood.logblock.vector.DoubleVector;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.MapVector;
import io.cordwood.logblock.vector.NullMask;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;
import io.cordwood.logblock.write.LogBlockSummary;
import io.cordwood.logblock.write.LogBlockWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogBlockTest {
    static final DecodedCache DECODED = new DecodedCache(1 << 16);

    /** All rows of a row group are in memory at once. */
    @Test
    void largeRowsEndARowGroupEarly() throws IOException {
        Column message = Column.keyword("message", 3);
        LogBlockSchema schema = new LogBlockSchema(List.of(SampleRows.TENANT, SampleRows.TS, message));
        int rows = 300;
        byte[] large = new byte[1 << 20];
        Arrays.fill(large, (byte) 'x');
        StringVector messages =
                new StringVector(large, new int[] {0, large.length}, new int[rows], rows, NullMask.none());
        String[] tenants = new String[rows];
        Arrays.fill(tenants, "acme");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        LogBlockSummary summary;
        try (LogBlockWriter writer = new LogBlockWriter(out, schema, LogBlockOptions.DEFAULTS)) {
            writer.append(List.of(StringVector.of(tenants), new LongVector(new long[rows]), messages), rows);
            summary = writer.finish();
        }
        assertThat(summary.splitOffsets()).hasSize(2);
        assertThat(open(out.toByteArray()).rowCount()).isEqualTo(rows);
    }

    /** Terms of few rows are not in the dictionary, if these lie together. */
    @Test
    void termsOfFewRowsAreFoundWhereverTheyAre() throws IOException {
        Column message = Column.text("message", 3);
        LogBlockSchema schema = new LogBlockSchema(List.of(SampleRows.TENANT, SampleRows.TS, message));
        int rows = 600;
        String[] tenants = new String[rows];
        Arrays.fill(tenants, "acme");
        String[] messages = new String[rows];
        Arrays.setAll(messages, row -> "near%d far%d".formatted(row / 3, row % 200));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (LogBlockWriter writer = new LogBlockWriter(out, schema, SampleRows.SMALL_BLOCKS)) {
            writer.append(
                    List.of(StringVector.of(tenants), new LongVector(new long[rows]), StringVector.of(messages)), rows);
            writer.finish();
        }
        LogBlock block = open(out.toByteArray());
        assertThat(block.hasIndex()).isTrue();
        for (int i = 0; i < 200; i++) {
            assertThat(matches(block, message, "near" + i)).containsExactly(3 * i, 3 * i + 1, 3 * i + 2);
            assertThat(matches(block, message, "far" + i)).containsExactly(i, 200 + i, 400 + i);
        }
        assertThat(matches(block, message, "near200")).isEmpty();
    }

    private static int[] matches(LogBlock block, Column column, String query) throws IOException {
        Predicate predicate = new Predicate.Match(column, MatchQuery.parse(query));
        return block.select(TimeRange.ALL, predicate, ReadOptions.DEFAULTS, new ReadMetrics())
                .toArray();
    }

    /** @param rowGroupRows also more than are looked at to see whether a dictionary pays */
    @ParameterizedTest
    @ValueSource(ints = {700, 1 << 20})
    void everyValueComesBack(int rowGroupRows) throws IOException {
        SampleRows sample = new SampleRows(1, 3000);
        LogBlock block = open(sample.write(new LogBlockOptions(3, 2 << 10, 1 << 10, 64, rowGroupRows, 1)));
        int[] all = new int[sample.rows];
        Arrays.setAll(all, i -> i);
        for (Column column : SampleRows.SCHEMA.columns()) {
            assertSame(column, sample, block.cursor(column, new ReadMetrics()).read(all, 0, all.length), all);
        }
    }

    @Test
    void cursorReadsAscendingRowsInBatches() throws IOException {
        SampleRows sample = new SampleRows(2, 3000);
        LogBlock block = open(sample.write(SampleRows.SMALL_BLOCKS));
        Random random = new Random(5);
        int[] rows = random.ints(0, sample.rows).limit(900).distinct().sorted().toArray();
        for (Column column : SampleRows.SCHEMA.columns()) {
            ColumnCursor cursor = block.cursor(column, new ReadMetrics());
            for (int from = 0; from < rows.length; from += 100) {
                int count = Math.min(100, rows.length - from);
                int[] part = Arrays.copyOfRange(rows, from, from + count);
                assertSame(column, sample, cursor.read(rows, from, count), part);
            }
        }
    }

    @Test
    void whatIsDecodedIsNotReadAgainButCounts() throws IOException {
        SampleRows sample = new SampleRows(6, 3000);
        byte[] bytes = sample.write(SampleRows.SMALL_BLOCKS);
        int[] all = range(sample.rows);
        for (Column column : SampleRows.SCHEMA.columns()) {
            DecodedCache cache = new DecodedCache(1 << 24);
            LogBlock block = LogBlock.open(new BytesReader(bytes), new ReadMetrics(), cache);
            LogBlock other = LogBlock.open(new BytesReader(bytes), new ReadMetrics());
            ReadMetrics first = new ReadMetrics();
            block.cursor(column, first).read(all, 0, all.length);
            other.cursor(column, new ReadMetrics()).read(all, 0, all.length);
            ReadMetrics again = new ReadMetrics();
            assertSame(column, sample, block.cursor(column, again).read(all, 0, all.length), all);
            ReadMetrics uncached = new ReadMetrics();
            other.cursor(column, uncached).read(all, 0, all.length);
            assertThat(first.columnBlocksCached.sum()).isZero();
            assertThat(cache.counts().misses()).isEqualTo(first.columnBlocksRead.sum());
            assertThat(cache.counts().hits()).isEqualTo(again.columnBlocksCached.sum());
            assertThat(again.columnBlocksCached.sum()).isEqualTo(first.columnBlocksRead.sum());
            assertThat(again.columnBlocksRead.sum()).isZero();
            assertThat(again.requests.sum()).isZero();
            assertThat(again.bytesRead.sum()).isEqualTo(uncached.bytesRead.sum());
            assertThat(cache.retainedBytes()).isPositive();
            block.close();
            assertThat(cache.retainedBytes()).isZero();
        }
    }

    @Test
    void noByteIsReadTwice() throws IOException {
        for (int rows : new int[] {10, 100, 1000}) {
            SampleRows sample = new SampleRows(7, rows);
            byte[] bytes = sample.write(LogBlockOptions.DEFAULTS);
            MeteredReader in = new MeteredReader(new BytesReader(bytes));
            ReadMetrics read = new ReadMetrics();
            ReadMetrics metrics = new ReadMetrics();
            in.metered(read, () -> {
                LogBlock block = LogBlock.open(in, metrics);
                for (Column column : SampleRows.SCHEMA.columns()) {
                    assertSame(column, sample, block.cursor(column, metrics).read(range(rows), 0, rows), range(rows));
                }
                return block;
            });
            assertThat(read.bytesRead.sum()).as("%d rows", rows).isLessThanOrEqualTo(bytes.length);
            assertThat(metrics.bytesRead.sum()).as("%d rows", rows).isLessThanOrEqualTo(bytes.length);
        }
    }

    @Test
    void columnThatTheFileLacksReadsAsNull() throws IOException {
        SampleRows sample = new SampleRows(3, 100);
        LogBlock block = open(sample.write(SampleRows.SMALL_BLOCKS));
        Column absent = Column.keyword("absent", 99);
        Vector vector = block.cursor(absent, new ReadMetrics()).read(new int[] {3, 7}, 0, 2);
        assertThat(vector.nulls().count()).isEqualTo(2);
        RowSet rows =
                block.select(TimeRange.ALL, new Predicate.IsNull(absent), ReadOptions.DEFAULTS, new ReadMetrics());
        assertThat(rows.cardinality()).isEqualTo(100);
    }

    @Test
    void smallLogBlocksCarryNoIndex() throws IOException {
        LogBlock block = open(new SampleRows(4, 100).write(LogBlockOptions.DEFAULTS));
        assertThat(block.hasIndex()).isFalse();
        assertThat(block.rowCount()).isEqualTo(100);
    }

    @Test
    void rowsOutOfTimeOrderAreRefused() throws IOException {
        LogBlockSchema schema = new LogBlockSchema(List.of(SampleRows.TS));
        try (LogBlockWriter writer =
                new LogBlockWriter(new java.io.ByteArrayOutputStream(), schema, LogBlockOptions.DEFAULTS)) {
            assertThatThrownBy(() -> writer.append(List.of(new LongVector(5, 4)), 2))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("not in time order");
        }
    }

    @Test
    void truncatedFileIsRefusedWithItsName() {
        byte[] bytes = new SampleRows(5, 500).write(SampleRows.SMALL_BLOCKS);
        for (int length : new int[] {0, 5, 11, 100, bytes.length - 1}) {
            assertThatThrownBy(() -> open(Arrays.copyOf(bytes, length)))
                    .isInstanceOf(LogBlockException.class)
                    .hasMessageContaining("memory");
        }
    }

    /** With a cache too small for all that is read, which others use too. */
    static LogBlock open(byte[] bytes) throws IOException {
        return LogBlock.open(new BytesReader(bytes), new ReadMetrics(), DECODED);
    }

    static void assertSame(Column column, SampleRows sample, Vector actual, int[] rows) {
        assertThat(values(actual, range(rows.length))).as(column.name()).isEqualTo(values(sample.vector(column), rows));
    }

    static int[] range(int length) {
        int[] all = new int[length];
        Arrays.setAll(all, i -> i);
        return all;
    }

    static List<Object> values(Vector vector, int[] positions) {
        List<Object> values = new ArrayList<>();
        for (int position : positions) {
            values.add(
                    vector.isNull(position)
                            ? null
                            : switch (vector) {
                                case LongVector v -> v.values()[position];
                                case DoubleVector v -> v.values()[position];
                                case BooleanVector v -> v.values()[position];
                                case StringVector v -> v.string(position);
                                case MapVector v -> {
                                    List<String> entries = new ArrayList<>();
                                    for (int e = v.entryOffsets()[position]; e < v.entryOffsets()[position + 1]; e++) {
                                        entries.add(v.keys().string(e) + "="
                                                + (v.values().isNull(e)
                                                        ? null
                                                        : v.values().string(e)));
                                    }
                                    yield entries;
                                }
                            });
        }
        return values;
    }
}
