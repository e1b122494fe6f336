package io.cordwood.trino.page;

import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;

import io.airlift.slice.Slices;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.trino.handle.CordwoodColumnHandle;
import io.cordwood.trino.handle.TableColumnHandle;
import io.trino.spi.Page;
import io.trino.spi.PageBuilder;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.type.LongTimestampWithTimeZone;
import io.trino.spi.type.TimeZoneKey;
import io.trino.spi.type.Type;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NewestRowsTest {
    private static final Type TIME = NewestRows.ORDER.getFirst().type();

    private static final List<CordwoodColumnHandle> NUMBER =
            List.of(new TableColumnHandle(QueryColumn.stored("n", ColumnType.BIGINT, IndexKind.NONE)));
    private static final Block MEGABYTE = megabyte();

    private record Row(long micros, long partition, long offset, long ordinal, long n) {}

    @Test
    void theNewestAreThoseThatSortingFinds() {
        for (int seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            int limit = 1 + random.nextInt(seed % 4 == 0 ? 20_000 : 300);
            NewestRows newest = new NewestRows(limit, NUMBER);
            List<Row> all = new ArrayList<>();
            int pages = random.nextInt(30);
            for (int i = 0; i < pages; i++) {
                List<Row> rows = rows(random, all.size(), random.nextInt(4_000));
                all.addAll(rows);
                newest.add(SourcePage.create(page(rows)));
                assertThat(newest.retainedBytes()).isLessThan((2L * limit + 15_000) * 400);
            }
            all.sort(Comparator.comparingLong(Row::micros)
                    .thenComparingLong(Row::partition)
                    .thenComparingLong(Row::offset)
                    .thenComparingLong(Row::ordinal));
            List<Long> numbers = new ArrayList<>();
            newest.pages().forEachRemaining(page -> {
                for (int i = 0; i < page.getPositionCount(); i++) {
                    numbers.add(BIGINT.getLong(page.getBlock(0), i));
                }
            });
            assertThat(numbers)
                    .as("%d of %d rows", limit, all.size())
                    .isEqualTo(all.subList(Math.max(0, all.size() - limit), all.size()).stream()
                            .map(Row::n)
                            .toList());
        }
    }

    @Test
    void pagesWithoutColumnsCountTheRows() {
        NewestRows newest = new NewestRows(5, List.of());
        newest.add(SourcePage.create(page(rows(new Random(1), 0, 30)).getColumns(1, 2, 3, 4)));
        assertThat(newest.pages())
                .toIterable()
                .singleElement()
                .satisfies(page -> assertThat(page.getPositionCount()).isEqualTo(5));
    }

    @Test
    void fewLargeRowsAreKept() {
        NewestRows newest = new NewestRows(3, NUMBER);
        for (int n = 0; n < 200; n++) {
            Page page = page(List.of(new Row(n, 0, n, 0, n)));
            newest.add(SourcePage.create(page.appendColumn(MEGABYTE)));
            assertThat(newest.retainedBytes()).isLessThan(50 << 20);
        }
        assertThat(newest.pages())
                .toIterable()
                .singleElement()
                .satisfies(
                        page -> assertThat(BIGINT.getLong(page.getBlock(0), 2)).isEqualTo(199));
    }

    private static Block megabyte() {
        BlockBuilder block = VARCHAR.createBlockBuilder(null, 1);
        VARCHAR.writeSlice(block, Slices.allocate(1 << 20));
        return block.build();
    }

    private static List<Row> rows(Random random, int first, int count) {
        List<Row> rows = new ArrayList<>();
        for (int n = first; n < first + count; n++) {
            rows.add(new Row(random.nextInt(200) - 100, random.nextInt(3), n / 4, n % 4, n));
        }
        return rows;
    }

    private static Page page(List<Row> rows) {
        PageBuilder page = new PageBuilder(List.of(BIGINT, TIME, BIGINT, BIGINT, BIGINT));
        for (Row row : rows) {
            BIGINT.writeLong(page.getBlockBuilder(0), row.n());
            TIME.writeObject(
                    page.getBlockBuilder(1),
                    LongTimestampWithTimeZone.fromEpochMillisAndFraction(
                            Math.floorDiv(row.micros(), 1000),
                            Math.floorMod(row.micros(), 1000) * 1_000_000,
                            TimeZoneKey.UTC_KEY));
            BIGINT.writeLong(page.getBlockBuilder(2), row.partition());
            BIGINT.writeLong(page.getBlockBuilder(3), row.offset());
            BIGINT.writeLong(page.getBlockBuilder(4), row.ordinal());
            page.declarePosition();
        }
        return page.build();
    }
}
