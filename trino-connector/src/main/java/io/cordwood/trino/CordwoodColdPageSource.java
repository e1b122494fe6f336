package io.cordwood.trino;

import static io.cordwood.trino.CordwoodErrorCode.CORDWOOD_CURSOR_ERROR;

import com.google.common.collect.ImmutableMap;
import io.airlift.slice.SizeOf;
import io.cordwood.logblock.LogBlock;
import io.cordwood.logblock.Predicate;
import io.cordwood.logblock.ReadMetrics;
import io.cordwood.logblock.TimeRange;
import io.trino.plugin.base.metrics.LongCount;
import io.trino.spi.block.Block;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.DynamicFilter;
import io.trino.spi.connector.MemoryContext;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.metrics.Metric;
import io.trino.spi.metrics.Metrics;
import io.trino.spi.predicate.TupleDomain;
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

    /** What became of the LogBlock. */
    private enum Outcome {
        /** Nothing yet. */
        PENDING,
        /** It was opened. */
        OPENED,
        /** Its rows were counted without opening it. */
        COUNTED,
        /** No row of it can be wanted: the top n are elsewhere, or a join has nothing to match. */
        SKIPPED
    }

    private final LogBlockCache logBlocks;
    private final CordwoodColdSplit split;
    private final CordwoodTableHandle table;
    private final ScanFilter filter;
    private final List<CordwoodColumnHandle> columns;
    private final DynamicFilter dynamicFilter;
    private final ReadSettings settings;
    private final Optional<TopNBound> topNBound;
    private final MemoryContext memory;
    private final ReadMetrics metrics = new ReadMetrics();
    private final List<BlockReader> readers = new ArrayList<>();
    private final BatchSize batch = new BatchSize(BATCH_ROWS);

    private Outcome outcome = Outcome.PENDING;
    private Optional<LogBlock> opened = Optional.empty();
    private Optional<TimeBinPages> bins = Optional.empty();
    private int[] rows = new int[0];
    private long count;
    private long position;
    private long pageBytes;
    private boolean finished;
    private boolean closed;
    private long readTimeNanos;

    /** @param filter the rows that are wanted, all that the table handle says included */
    CordwoodColdPageSource(
            LogBlockCache logBlocks,
            CordwoodColdSplit split,
            CordwoodTableHandle table,
            ScanFilter filter,
            List<CordwoodColumnHandle> columns,
            DynamicFilter dynamicFilter,
            ReadSettings settings,
            Optional<TopNBound> topNBound,
            MemoryContext memory) {
        this.logBlocks = logBlocks;
        this.split = split;
        this.table = table;
        this.filter = filter;
        this.columns = List.copyOf(columns);
        this.dynamicFilter = dynamicFilter;
        this.settings = settings;
        this.topNBound = topNBound;
        this.memory = memory;
    }

    @Override
    public SourcePage getNextSourcePage() {
        if (finished) {
            return null;
        }
        if (outcome == Outcome.PENDING) {
            long start = System.nanoTime();
            outcome = open();
            readTimeNanos += System.nanoTime() - start;
        }
        if (position == count) {
            finished = true;
            return null;
        }
        pageBytes = 0;
        SourcePage page = nextPage();
        position += page.getPositionCount();
        finished = position == count;
        return page;
    }

    private SourcePage nextPage() {
        if (bins.isPresent()) {
            return SourcePage.create(nextBins(bins.get()));
        }
        if (rowsAlike()) {
            int size = (int) Math.min(Integer.MAX_VALUE, count - position);
            return onlyBin()
                    .map(bin -> SourcePage.create(new TimeBinBlocks(bin).run(bin.millis(split.fromMicros()), size)))
                    .orElseGet(() -> SourcePage.create(size));
        }
        return new LogBlockSourcePage(
                split.description(),
                columns,
                readers,
                batch,
                this::retain,
                rows,
                (int) position,
                batch.next(count - position));
    }

    private Block nextBins(TimeBinPages pages) {
        try {
            return pages.next();
        } catch (IOException | RuntimeException e) {
            logBlocks.forget(split);
            throw ReadFailures.of(CORDWOOD_CURSOR_ERROR, "Cannot read times of " + split.description(), e);
        }
    }

    /** Whether the scan wants no more of a row than that it is there, or in which bin of time. */
    private boolean countsRows() {
        return (columns.isEmpty() || onlyBin().isPresent())
                && table.limit().isEmpty()
                && table.topN().isEmpty();
    }

    /** The bin that is the only column. */
    private Optional<TimeBin> onlyBin() {
        return columns.size() == 1 && columns.getFirst().kind() == CordwoodColumnHandle.Kind.TIME_BIN
                ? Optional.of(TimeBin.decode(columns.getFirst().detail()))
                : Optional.empty();
    }

    /** Whether rows were counted and no further difference between them is wanted. */
    private boolean rowsAlike() {
        return outcome == Outcome.COUNTED || columns.isEmpty();
    }

    /** Whether the LogBlock's bounds tell the values of all columns asked for. */
    private boolean isKnownFromBounds() {
        return onlyBin()
                .map(bin -> split.fromMicros() != Long.MIN_VALUE
                        && split.toMicros() != Long.MAX_VALUE
                        && bin.isMonotone(split.fromMicros(), split.toMicros())
                        && bin.millis(split.fromMicros()) == bin.millis(split.toMicros()))
                .orElse(columns.isEmpty());
    }

    /** Of the last page alone: the engine has dealt with the ones before. */
    private void retain(long bytes) {
        if (!closed) {
            pageBytes += bytes;
            memory.setBytes(SizeOf.sizeOf(rows) + pageBytes);
        }
    }

    private Outcome open() {
        if (topNBound.isPresent() && topNBound.get().excludes(split)) {
            return Outcome.SKIPPED;
        }
        ScanFilter wanted = filter.and(dynamicDomain());
        if (wanted.isNone()) {
            return Outcome.SKIPPED;
        }
        TimeRange time = wanted.time();
        List<Predicate> conjuncts = wanted.conjuncts();
        if (countsRows()
                && settings.pushAggregation()
                && conjuncts.isEmpty()
                && isWithin(time)
                && isKnownFromBounds()) {
            count = split.rowCount();
            return Outcome.COUNTED;
        }
        try {
            LogBlock logBlock = logBlocks.open(split, settings.useCache(), metrics);
            opened = Optional.of(logBlock);
            LogBlockRows finder = new LogBlockRows(logBlock, split.binding(), metrics);
            if (countsRows() && (columns.isEmpty() || logBlock.isOrdered())) {
                SelectedRows found = finder.find(time, conjuncts, settings.options());
                count = found.size();
                if (onlyBin().isPresent()) {
                    TimeBin bin = onlyBin().get();
                    TimeBinRuns runs = new TimeBinRuns(logBlock.times(settings.options(), metrics), bin);
                    bins = Optional.of(new TimeBinPages(runs, found, bin));
                }
                return Outcome.OPENED;
            }
            rows = limit(logBlock, finder, finder.select(time, conjuncts, settings.options()));
            count = rows.length;
            memory.setBytes(SizeOf.sizeOf(rows));
            ColumnReaders factory = new ColumnReaders(logBlock, split.binding(), metrics, batch);
            for (CordwoodColumnHandle column : columns) {
                readers.add(forgettingDamage(factory.blocks(column, settings.options())));
            }
            return Outcome.OPENED;
        } catch (IOException | RuntimeException e) {
            opened.ifPresent(any -> logBlocks.forget(split));
            throw ReadFailures.of(CORDWOOD_CURSOR_ERROR, "Cannot read " + split.description(), e);
        }
    }

    private BlockReader forgettingDamage(BlockReader reader) {
        return (positions, from, size) -> {
            try {
                return reader.read(positions, from, size);
            } catch (IOException | RuntimeException e) {
                logBlocks.forget(split);
                throw e;
            }
        };
    }

    /** What a join has learnt narrows the rows; the join itself still drops the others. */
    private TupleDomain<ColumnHandle> dynamicDomain() {
        if (table.limit().isPresent() || table.topN().isPresent()) {
            return TupleDomain.all();
        }
        return DomainPredicates.supported(dynamicFilter.getCurrentPredicate());
    }

    private boolean isWithin(TimeRange time) {
        return time.fromMicros() <= split.fromMicros() && split.toMicros() <= time.toMicros();
    }

    private int[] limit(LogBlock logBlock, LogBlockRows finder, int[] selected) throws IOException {
        if (table.limit().isPresent() && table.limit().getAsLong() < selected.length) {
            return Arrays.copyOf(selected, (int) table.limit().getAsLong());
        }
        if (table.topN().isEmpty() || !logBlock.isOrdered()) {
            return selected;
        }
        CordwoodTableHandle.TopN topN = table.topN().get();
        int[] top = finder.top(selected, topN, settings.options());
        if (top.length > 0 && topNBound.isPresent()) {
            topNBound.get().reached(top.length, farthest(finder, topN, top));
        }
        return top;
    }

    /** Where n rows were found, the time of the last of them; else a bound of it, which costs no read. */
    private long farthest(LogBlockRows finder, CordwoodTableHandle.TopN topN, int[] top) throws IOException {
        if (top.length < topN.count()) {
            return topN.newest() ? split.fromMicros() : split.toMicros();
        }
        return finder.time(topN.newest() ? top[0] : top[top.length - 1]);
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
                .put("LogBlocks opened", new LongCount(outcome == Outcome.OPENED ? 1 : 0))
                .put("LogBlocks counted by manifest", new LongCount(outcome == Outcome.COUNTED ? 1 : 0))
                .put("LogBlocks skipped", new LongCount(outcome == Outcome.SKIPPED ? 1 : 0))
                .put("LogBlocks without usable index", new LongCount(metrics.indexesUnusable.sum()))
                .put("rows selected", new LongCount(count))
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
        closed = true;
        opened.ifPresent(logBlock -> logBlocks.used(split, logBlock));
        opened = Optional.empty();
        memory.setBytes(0);
    }
}
