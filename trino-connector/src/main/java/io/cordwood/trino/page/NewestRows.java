package io.cordwood.trino.page;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.AbstractIterator;
import io.airlift.slice.SizeOf;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.trino.handle.CordwoodColumnHandle;
import io.cordwood.trino.handle.TableColumnHandle;
import io.cordwood.trino.type.SqlValues;
import io.trino.spi.Page;
import io.trino.spi.PageBuilder;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.type.BigintType;
import io.trino.spi.type.LongTimestampWithTimeZone;
import io.trino.spi.type.Type;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The newest n rows of an unordered input, by time, and within a microsecond by partition, offset and ordinal. It keeps
 * little more than twice as many rows, or 32 MB more than twice their bytes. Not thread-safe.
 */
public final class NewestRows implements RowCombiner {
    /** The sort columns. */
    static final List<CordwoodColumnHandle> ORDER = List.of(
            new TableColumnHandle(QueryColumn.TS),
            new TableColumnHandle(QueryColumn.PARTITION),
            new TableColumnHandle(QueryColumn.OFFSET),
            new TableColumnHandle(QueryColumn.ORDINAL));

    private static final int SPARE_ROWS = 8192;
    private static final long SPARE_BYTES = 32 << 20;
    private static final int ROW_SIZE = SizeOf.instanceSize(Row.class);
    private static final Comparator<Row> OLDEST_FIRST = Comparator.comparingLong(Row::micros)
            .thenComparingLong(Row::partition)
            .thenComparingLong(Row::offset)
            .thenComparingLong(Row::ordinal);

    private record Row(long micros, long partition, long offset, long ordinal, Page page, int position) {}

    private final int limit;
    private final List<Type> types;
    private final List<CordwoodColumnHandle> columns;
    private final int[] order;
    private List<Page> pages = new ArrayList<>();
    private int rows;
    private long bytes;
    private long mostBytes = SPARE_BYTES;
    /** A lower bound of the times of the newest rows. */
    private long oldestMicros = Long.MIN_VALUE;

    /**
     * @param limit the number n of rows
     * @param columns the columns to return
     */
    public NewestRows(int limit, List<CordwoodColumnHandle> columns) {
        this.limit = limit;
        this.types = columns.stream().map(CordwoodColumnHandle::type).collect(toImmutableList());
        this.columns = new ArrayList<>(columns);
        this.order = ORDER.stream().mapToInt(this::channel).toArray();
    }

    /** The channel of a sort column, which is added to the columns to read if it is not among the returned ones. */
    private int channel(CordwoodColumnHandle column) {
        for (int channel = 0; channel < columns.size(); channel++) {
            if (columns.get(channel).name().equals(column.name())) {
                return channel;
            }
        }
        columns.add(column);
        return columns.size() - 1;
    }

    @Override
    public List<CordwoodColumnHandle> columns() {
        return List.copyOf(columns);
    }

    /** Adds the rows of a page. If all rows are too old, it reads no column but time. */
    @Override
    public void add(SourcePage page) {
        Block times = page.getBlock(order[0]);
        int[] candidates = IntStream.range(0, page.getPositionCount())
                .filter(position -> micros(times, position) >= oldestMicros)
                .toArray();
        if (candidates.length == 0) {
            return;
        }
        page.selectPositions(candidates, 0, candidates.length);
        keep(page.getPage(), IntStream.range(0, candidates.length).toArray());
        if (rows >= 2L * limit + SPARE_ROWS || (rows > limit && bytes > mostBytes)) {
            dropOlder();
            mostBytes = SPARE_BYTES + 2 * bytes;
        }
    }

    private void keep(Page page, int[] positions) {
        // A copy, because the underlying arrays may be much larger
        Page kept = page.copyPositions(positions, 0, positions.length);
        pages.add(kept);
        rows += positions.length;
        bytes += kept.getRetainedSizeInBytes();
    }

    private void dropOlder() {
        List<Row> newest = sorted();
        oldestMicros = newest.getFirst().micros();
        IdentityHashMap<Page, List<Row>> byPage = new IdentityHashMap<>();
        newest.forEach(row ->
                byPage.computeIfAbsent(row.page(), any -> new ArrayList<>()).add(row));
        pages = new ArrayList<>();
        rows = 0;
        bytes = 0;
        byPage.forEach((page, ofPage) ->
                keep(page, ofPage.stream().mapToInt(Row::position).toArray()));
    }

    /** The newest rows, oldest first. */
    private List<Row> sorted() {
        List<Row> all = new ArrayList<>(rows);
        for (Page page : pages) {
            Block times = page.getBlock(order[0]);
            for (int position = 0; position < page.getPositionCount(); position++) {
                all.add(new Row(
                        micros(times, position),
                        number(page, 1, position),
                        number(page, 2, position),
                        number(page, 3, position),
                        page,
                        position));
            }
        }
        all.sort(OLDEST_FIRST);
        return all.subList(Math.max(0, all.size() - limit), all.size());
    }

    private static long micros(Block times, int position) {
        return SqlValues.micros(
                (LongTimestampWithTimeZone) NewestRows.ORDER.getFirst().type().getObject(times, position));
    }

    /** The number, or -1 if a row of another program has none, so that it sorts first. */
    private long number(Page page, int column, int position) {
        Block block = page.getBlock(order[column]);
        return block.isNull(position) ? -1 : BigintType.BIGINT.getLong(block, position);
    }

    /** The newest rows, oldest first. */
    @Override
    public Iterator<Page> pages() {
        Iterator<Row> newest = sorted().iterator();
        PageBuilder page = new PageBuilder(types);
        return new AbstractIterator<>() {
            @Override
            protected Page computeNext() {
                page.reset();
                while (newest.hasNext() && !page.isFull()) {
                    Row row = newest.next();
                    for (int channel = 0; channel < types.size(); channel++) {
                        append(row.page().getBlock(channel), row.position(), page.getBlockBuilder(channel));
                    }
                    page.declarePosition();
                }
                return page.isEmpty() ? endOfData() : page.build();
            }
        };
    }

    private static void append(Block block, int position, BlockBuilder builder) {
        builder.append(block.getUnderlyingValueBlock(), block.getUnderlyingValuePosition(position));
    }

    @Override
    public long retainedBytes() {
        return bytes + (long) ROW_SIZE * rows;
    }
}
