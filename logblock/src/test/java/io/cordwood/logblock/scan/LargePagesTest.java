package io.cordwood.logblock.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.logblock.io.LogBlockException;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.parquet.ColumnPages;
import io.cordwood.logblock.parquet.PageBuffers;
import io.cordwood.logblock.parquet.PageBytes;
import io.cordwood.logblock.parquet.ParquetFile;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.logblock.testing.BytesReader;
import io.cordwood.logblock.testing.SampleRows;
import io.cordwood.logblock.vector.DecodedCache;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;
import io.cordwood.logblock.write.LogBlockWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages of text that are compressed as several blocks: of these only those with needed rows are decompressed. */
final class LargePagesTest {
    private static final SampleRows SAMPLE = new SampleRows(5, 20_000);

    private final byte[] bytes = SAMPLE.write(SampleRows.LARGE_PAGES);

    private static Vector decode(byte[] bytes, int page, int wanted) throws IOException {
        ParquetFile file = ParquetFile.open(new BytesReader(bytes), new ReadMetrics());
        return file.decode(SampleRows.MESSAGE, page, wanted, fetch(file, page), new PageBuffers());
    }

    private static Map<ParquetFile.LeafPage, PageBytes> fetch(ParquetFile file, int page) throws IOException {
        return file.fetch(
                List.of(new ParquetFile.PageRequest(SampleRows.MESSAGE, new int[] {page})), new ReadMetrics());
    }

    /** A scan of all rows that has selected them. */
    private static LogBlockScan selected(LogBlock block, ReadMetrics metrics) throws IOException {
        LogBlockScan scan = block.scan(
                block.rows(TimeRange.ALL, ReadOptions.DEFAULTS, metrics),
                Predicate.TRUE,
                ScanDirection.ALL,
                ReadOptions.DEFAULTS,
                metrics);
        assertThat(scan.next()).isPresent();
        return scan;
    }

    private static void assertReads(ColumnCursor messages, int row) throws IOException {
        LogBlockTest.assertSame(SampleRows.MESSAGE, SAMPLE, messages.read(new int[] {row}, 0, 1), new int[] {row});
    }

    @Test
    void noMoreRowsAreDecodedThanNeeded() throws IOException {
        ColumnPages pages =
                ParquetFile.open(new BytesReader(bytes), new ReadMetrics()).pages(SampleRows.MESSAGE);
        assertThat(pages.count()).isGreaterThan(1);
        for (int page : new int[] {0, 1}) {
            int rows = pages.rows(page);
            for (int wanted : new int[] {1, 2, 63, rows / 4, rows / 3, rows / 2, rows - 1, rows}) {
                Vector values = decode(bytes, page, wanted);
                assertThat(values.length()).isIn(wanted, rows);
                int[] positions = LogBlockTest.range(wanted);
                int first = pages.firstRow(page);
                assertThat(LogBlockTest.values(values, positions))
                        .isEqualTo(LogBlockTest.values(
                                SAMPLE.vector(SampleRows.MESSAGE),
                                Arrays.stream(positions).map(at -> first + at).toArray()));
            }
            assertThat(decode(bytes, page, rows / 4).length()).isEqualTo(rows / 4);
        }
    }

    /** The first rows take more of the page than their share of its rows. */
    @Test
    void rowsThatAreLargerThanOthersAreDecodedToo() throws IOException {
        int rows = 20_000;
        String[] messages = new String[rows];
        for (int i = 0; i < rows; i++) {
            messages[i] = i < 700 ? Integer.toString(i).repeat(100) : "" + i;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        LogBlockSchema schema = new LogBlockSchema(List.of(SampleRows.TS, SampleRows.MESSAGE));
        try (LogBlockWriter writer = new LogBlockWriter(out, schema, SampleRows.LARGE_PAGES)) {
            writer.append(List.of(new LongVector(new long[rows]), StringVector.of(messages)), rows);
            writer.finish();
        }
        for (int wanted : new int[] {1, 400, 600, 700, 701}) {
            Vector values = decode(out.toByteArray(), 0, wanted);
            assertThat(values.length()).isEqualTo(wanted > 1 ? rows : 1);
            assertThat(LogBlockTest.values(values, new int[] {wanted - 1})).isEqualTo(List.of(messages[wanted - 1]));
        }
    }

    /** Also if the damage is behind the rows that are needed. */
    @Test
    void aDamagedPageIsNotDecoded() throws IOException {
        ParquetFile file = ParquetFile.open(new BytesReader(bytes), new ReadMetrics());
        PageBytes stored = fetch(file, 0).get(new ParquetFile.LeafPage(SampleRows.MESSAGE.fieldId(), 0));
        byte[] end = Arrays.copyOfRange(
                stored.array(), stored.from() + stored.length() - 64, stored.from() + stored.length());
        byte[] damaged = bytes.clone();
        damaged[indexOf(end) + 40] ^= 1;
        assertThatThrownBy(() -> decode(damaged, 0, 1))
                .isInstanceOf(LogBlockException.class)
                .hasMessageContaining("page 0 of column 'message' is damaged");
    }

    private int indexOf(byte[] part) {
        for (int at = 0; at + part.length <= bytes.length; at++) {
            if (Arrays.equals(bytes, at, at + part.length, part, 0, part.length)) {
                return at;
            }
        }
        throw new AssertionError("not part of the file");
    }

    /** Rows of one page, the first ones first: it is decoded again, and whole, from the bytes that were fetched. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1 << 22})
    void aPageIsFetchedOnceForMoreAndMoreOfItsRows(int cacheBytes) throws IOException {
        LogBlock block = LogBlock.open(new BytesReader(bytes), new ReadMetrics(), new DecodedCache(cacheBytes));
        ReadMetrics metrics = new ReadMetrics();
        LogBlockScan scan = selected(block, metrics);
        ColumnCursor messages = scan.cursor(SampleRows.MESSAGE);
        for (int row : new int[] {0, 10, 2000, 5000}) {
            assertReads(messages, row);
        }
        assertThat(metrics.columnBlocksRead.sum()).isEqualTo(1);
        assertThat(scan.retainedBytes()).isLessThan(1 << 20);
    }

    /** The cache has the first rows only: the next scan decodes the page whole, so that this happens once. */
    @Test
    void aCachedStartOfAPageIsReplacedByThePage() throws IOException {
        LogBlock block = LogBlock.open(new BytesReader(bytes), new ReadMetrics(), new DecodedCache(1 << 22));
        List<Long> fetched = new ArrayList<>();
        for (int row : new int[] {10, 2000, 4000, 6000}) {
            ReadMetrics metrics = new ReadMetrics();
            assertReads(selected(block, metrics).cursor(SampleRows.MESSAGE), row);
            fetched.add(metrics.columnBlocksRead.sum());
        }
        assertThat(fetched).containsExactly(1L, 1L, 0L, 0L);
    }
}
