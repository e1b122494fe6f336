package io.cordwood.logblock.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.logblock.io.ByteRange;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.LogBlockOptions;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.logblock.testing.SampleRows;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.KeyValue;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Util;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One wrong bit anywhere in a LogBlock: the same rows and values, or an error that names the file; never others. */
class DamagedRegionsTest {
    private static final int ROWS = 1500;
    private static final int FLIPS = 300;
    private static final Predicate PREDICATE = new Predicate.And(List.of(
            new Predicate.Not(new Predicate.In(SampleRows.LEVEL, List.of(Predicate.ValueRange.equal("INFO")))),
            new Predicate.In(
                    SampleRows.LATENCY,
                    List.of(new Predicate.ValueRange(Optional.of(100L), true, Optional.of(250L), false)))));

    private final byte[] bytes = new SampleRows(21, ROWS).write(SampleRows.SMALL_BLOCKS);
    private final Layout layout = Layout.of(bytes);

    /** A part of the object. */
    enum Region {
        DATA_PAGES,
        DICTIONARIES,
        COLD_INDEX,
        HOT_INDEX,
        PAGE_INDEXES,
        FOOTER,
        TRAILER;

        boolean isIndex() {
            return this == COLD_INDEX || this == HOT_INDEX;
        }
    }

    @ParameterizedTest
    @EnumSource(Region.class)
    void aFlippedBitIsNoticedOrChangesNothing(Region region) throws IOException {
        List<Object> expected = contents(bytes);
        Random random = new Random(7);
        List<ByteRange> ranges = layout.ranges(region);
        int noticed = 0;
        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < FLIPS; i++) {
            ByteRange range = ranges.get(random.nextInt(ranges.size()));
            int at = (int) range.offset() + random.nextInt(range.length());
            int bit = random.nextInt(8);
            byte[] damaged = bytes.clone();
            damaged[at] ^= (byte) (1 << bit);
            try {
                if (!contents(damaged).equals(expected)) {
                    wrong.add("byte %d, bit %d".formatted(at, bit));
                }
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("memory");
                noticed++;
            }
        }
        assertThat(wrong).as("other rows without an error").isEmpty();
        if (region.isIndex()) {
            assertThat(noticed)
                    .as("an index that cannot be used costs time alone")
                    .isZero();
        } else {
            assertThat(noticed).isPositive();
        }
    }

    /** The rows that queries find, by index, statistics and values, and all values. */
    private static List<Object> contents(byte[] object) throws IOException {
        LogBlock block = LogBlockTest.open(object);
        List<Object> contents = new ArrayList<>();
        TimeRange later = new TimeRange(1_700_000_100_000_000L, Long.MAX_VALUE);
        contents.add(Arrays.toString(rows(block, later, Predicate.TRUE)));
        contents.add(Arrays.toString(rows(block, TimeRange.ALL, PREDICATE)));
        contents.add(Arrays.toString(rows(
                block,
                TimeRange.ALL,
                new Predicate.Match(SampleRows.MESSAGE, io.cordwood.logblock.match.MatchQuery.parse("timeout")))));
        int[] all = new int[block.rowCount()];
        Arrays.setAll(all, i -> i);
        for (Column column : SampleRows.SCHEMA.columns()) {
            contents.add(
                    LogBlockTest.values(block.cursor(column, new ReadMetrics()).read(all, 0, all.length), all));
        }
        return contents;
    }

    private static int[] rows(LogBlock block, TimeRange time, Predicate predicate) throws IOException {
        return block.select(time, predicate, ReadOptions.DEFAULTS, new ReadMetrics())
                .toArray();
    }

    @Test
    void withoutItsIndexItHasTheSameRows() throws IOException {
        LogBlockOptions noIndex = new LogBlockOptions(3, 2 << 10, 1 << 10, 64, 700, Integer.MAX_VALUE);
        byte[] without = new SampleRows(21, ROWS).write(noIndex);
        assertThat(LogBlockTest.open(without).hasIndex()).isFalse();
        assertThat(contents(without)).isEqualTo(contents(bytes));
    }

    /** Where the parts of a LogBlock lie. */
    private record Layout(FileMetaData footer, int footerStart, int length) {
        static Layout of(byte[] bytes) {
            int at = bytes.length - 8;
            int count = (bytes[at] & 0xFF) | (bytes[at + 1] & 0xFF) << 8 | (bytes[at + 2] & 0xFF) << 16;
            try {
                return new Layout(
                        Util.readFileMetaData(new ByteArrayInputStream(bytes, at - count, count)),
                        at - count,
                        bytes.length);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        List<ByteRange> ranges(Region region) {
            return switch (region) {
                case DATA_PAGES, DICTIONARIES, PAGE_INDEXES -> chunks(region);
                case COLD_INDEX -> List.of(index("cordwood.index.cold"));
                case HOT_INDEX -> List.of(index("cordwood.index.hot"));
                case FOOTER -> List.of(range(footerStart, length - 8L));
                case TRAILER -> List.of(range(length - 8L, length));
            };
        }

        private List<ByteRange> chunks(Region region) {
            List<ByteRange> ranges = new ArrayList<>();
            for (RowGroup group : footer.getRow_groups()) {
                for (ColumnChunk chunk : group.getColumns()) {
                    long data = chunk.getMeta_data().getData_page_offset();
                    long dictionary = chunk.getMeta_data().isSetDictionary_page_offset()
                            ? chunk.getMeta_data().getDictionary_page_offset()
                            : data;
                    if (region == Region.DATA_PAGES) {
                        ranges.add(range(data, dictionary + chunk.getMeta_data().getTotal_compressed_size()));
                    } else if (region == Region.DICTIONARIES && dictionary < data) {
                        ranges.add(range(dictionary, data));
                    } else if (region == Region.PAGE_INDEXES) {
                        ranges.add(new ByteRange(chunk.getOffset_index_offset(), chunk.getOffset_index_length()));
                        if (chunk.isSetColumn_index_offset()) {
                            ranges.add(new ByteRange(chunk.getColumn_index_offset(), chunk.getColumn_index_length()));
                        }
                    }
                }
            }
            return ranges;
        }

        private ByteRange index(String key) {
            for (KeyValue pair : footer.getKey_value_metadata()) {
                if (pair.getKey().equals(key)) {
                    List<String> numbers = List.of(pair.getValue().split(":", -1));
                    return new ByteRange(Long.parseLong(numbers.get(0)), Integer.parseInt(numbers.get(1)));
                }
            }
            throw new IllegalStateException("no key " + key);
        }

        private static ByteRange range(long from, long to) {
            return new ByteRange(from, Math.toIntExact(to - from));
        }
    }
}
