package io.cordwood.trino;

import static io.cordwood.trino.CordwoodErrorCode.CORDWOOD_CURSOR_ERROR;

import com.google.common.collect.ImmutableMap;
import io.airlift.slice.SizeOf;
import io.cordwood.logblock.LogBlock;
import io.cordwood.logblock.Predicate;
import io.cordwood.logblock.ReadMetrics;
import io.cordwood.logblock.ReadOptions;
import io.cordwood.logblock.TimeRange;
import io.trino.plugin.base.metrics.LongCount;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.DynamicFilter;
import io.trino.spi.connector.MemoryContext;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.metrics.Metric;
import io.trino.spi.metrics.Metrics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The rows of one LogBlock that a scan wants: finds them all at once, mostly from the index, then hands them out in
 * batches whose columns are read when asked for. Not thread-safe.
 */
final class CordwoodColdPageSource implements ConnectorPageSource {
    private static final int BATCH_ROWS = 8192;

    private final LogBlockCache logBlocks;
    private final CordwoodColdSplit split;
    private final CordwoodTableHandle table;
    private final List<CordwoodColumnHandle> columns;
    private final DynamicFilter dynamicFilter;
    private final ReadOptions options;
    private final boolean useCache;
    private final Optional<TopNBound> topNBound;
    private final MemoryContext memory;
    private final ReadMetrics metrics = new ReadMetrics();
    private final List<ColumnReader> readers = new ArrayList<>();

    private boolean opened;
    private boolean excluded;
    private int[] rows = new int[0];
    private int position;
    private boolean finished;
    private long readTimeNanos;

    CordwoodColdPageSource(
            LogBlockCache logBlocks,
            CordwoodColdSplit split,
            CordwoodTableHandle table,
            List<CordwoodColumnHandle> columns,
            DynamicFilter dynamicFilter,
            ReadOptions options,
            boolean useCache,
            Optional<TopNBound> topNBound,
            MemoryContext memory) {
        this.logBlocks = logBlocks;
        this.split = split;
        this.table = table;
        this.columns = List.copyOf(columns);
        this.dynamicFilter = dynamicFilter;
        this.options = options;
        this.useCache = useCache;
        this.topNBound = topNBound;
        this.memory = memory;
    }

    @Override
    public SourcePage getNextSourcePage() {
        if (finished) {
            return null;
        }
        if (!opened) {
            long start = System.nanoTime();
            open();
            opened = true;
            readTimeNanos += System.nanoTime() - start;
        }
        int count = columns.isEmpty() ? rows.length - position : Math.min(BATCH_ROWS, rows.length - position);
        if (count == 0) {
            finished = true;
            return null;
        }
        SourcePage page = columns.isEmpty()
                ? SourcePage.create(count)
                : new LogBlockSourcePage(split.path(), columns, readers, rows, position, count);
        position += count;
        finished = position == rows.length;
        return page;
    }

    private void open() {
        if (topNBound.isPresent() && topNBound.get().excludes(split)) {
            excluded = true;
            return;
        }
        try {
            LogBlock logBlock = logBlocks.open(split, useCache, metrics);
            rows = select(logBlock);
            memory.setBytes(SizeOf.sizeOf(rows));
            ColumnReaders factory = new ColumnReaders(logBlock, split.binding(), metrics);
            for (CordwoodColumnHandle column : columns) {
                readers.add(factory.reader(column));
            }
        } catch (IOException e) {
            throw new TrinoException(
                    CORDWOOD_CURSOR_ERROR, "Cannot read %s: %s".formatted(split.path(), e.getMessage()), e);
        }
    }

    private int[] select(LogBlock logBlock) throws IOException {
        ScanFilter filter = ScanFilter.of(table, options.useStatistics());
        if (filter.isNone()) {
            return new int[0];
        }
        // What a join has learnt narrows the rows; the join itself still drops the others
        ScanFilter dynamic = ScanFilter.of(
                CordwoodTableHandle.of(table.name(), table.tenantId())
                        .withFilter(dynamicFilter.getCurrentPredicate(), List.of()),
                options.useStatistics());
        TimeRange time = intersect(filter.time(), dynamic.time());
        if (time.isEmpty()) {
            return new int[0];
        }
        List<Predicate> conjuncts = new ArrayList<>(filter.conjuncts());
        conjuncts.addAll(dynamic.conjuncts());
        BoundPredicate predicate = new PredicateBinder(split.binding()).bind(conjuncts);
        LogBlockRows finder = new LogBlockRows(logBlock, split.binding(), metrics);
        int[] selected = finder.select(time, predicate, options);
        return limit(finder, selected);
    }

    private static TimeRange intersect(TimeRange left, TimeRange right) {
        return new TimeRange(
                Math.max(left.fromMicros(), right.fromMicros()), Math.min(left.toMicros(), right.toMicros()));
    }

    private int[] limit(LogBlockRows finder, int[] selected) throws IOException {
        if (table.limit().isPresent() && table.limit().getAsLong() < selected.length) {
            return Arrays.copyOf(selected, (int) table.limit().getAsLong());
        }
        if (table.topN().isEmpty()) {
            return selected;
        }
        CordwoodTableHandle.TopN topN = table.topN().get();
        int[] top = finder.top(selected, topN, options);
        if (top.length > 0 && top.length >= topN.count() && topNBound.isPresent()) {
            topNBound.get().reached(finder.time(topN.newest() ? top[0] : top[top.length - 1]));
        }
        return top;
    }

    @Override
    public long getCompletedBytes() {
        return metrics.bytesRead.sum();
    }

    @Override
    public OptionalLong getCompletedPositions() {
        return OptionalLong.of(position);
    }

    @Override
    public long getReadTimeNanos() {
        return readTimeNanos;
    }

    @Override
    public boolean isFinished() {
        return finished;
    }

    @Override
    public Metrics getMetrics() {
        return new Metrics(ImmutableMap.<String, Metric<?>>builder()
                .put("LogBlocks opened", new LongCount(opened && !excluded ? 1 : 0))
                .put("LogBlocks skipped by top-n", new LongCount(excluded ? 1 : 0))
                .put("LogBlocks without usable index", new LongCount(metrics.indexesUnusable.sum()))
                .put("rows selected", new LongCount(rows.length))
                .put("column blocks considered", new LongCount(metrics.columnBlocksConsidered.sum()))
                .put("column blocks pruned by statistics", new LongCount(metrics.columnBlocksPrunedByStatistics.sum()))
                .put("column blocks read", new LongCount(metrics.columnBlocksRead.sum()))
                .put("bytes read", new LongCount(metrics.bytesRead.sum()))
                .put("requests", new LongCount(metrics.requests.sum()))
                .buildOrThrow());
    }

    @Override
    public void close() {
        finished = true;
        memory.setBytes(0);
    }
}
