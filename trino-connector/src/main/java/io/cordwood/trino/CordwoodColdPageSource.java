package io.cordwood.trino;

import static io.cordwood.trino.CordwoodErrorCode.CORDWOOD_CURSOR_ERROR;

import com.google.common.collect.ImmutableMap;
import io.airlift.slice.SizeOf;
import io.cordwood.catalog.delete.DeletedRows;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.scan.LogBlock;
import io.cordwood.logblock.scan.Wanted;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.schema.TimeRange;
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
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The rows of one LogBlock that a scan wants: finds them stretch by stretch, mostly from the index, and hands them out in
 * batches whose columns are read when asked for. Not thread-safe.
 */
final class CordwoodColdPageSource implements ConnectorPageSource {
    private static final int BATCH_ROWS = 8192;
    /** For so few rows round trips cost more than a column that in the end nobody asks for. */
    private static final int PREFETCH_ROWS = 1024;

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

    private final LogBlocks logBlocks;
    private final CordwoodColdSplit split;
    private final CordwoodTableHandle table;
    private final ScanFilter filter;
    private final List<CordwoodColumnHandle> columns;
    /** The time bin that is the only column. */
    private final Optional<TimeBin> onlyBin;

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
    private Optional<LogBlockRows> found = Optional.empty();
    /** Those of the rows found that are handed out; empty if they are only counted. */
    private Optional<RowStretches> stretches = Optional.empty();
    /** Rows of the present stretch, and how many of them were handed out. */
    private int[] rows = new int[0];

    private int rowsDone;
    /** Rows that are only counted. */
    private long count;

    private long position;
    private long pageBytes;
    private boolean finished;
    private boolean closed;
    private long readTimeNanos;

    /** @param filter the rows that are wanted, all that the table handle says included */
    CordwoodColdPageSource(
            LogBlocks logBlocks,
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
        this.onlyBin = columns.size() == 1 && columns.getFirst().kind() == CordwoodColumnHandle.Kind.TIME_BIN
                ? Optional.of(TimeBin.decode(columns.getFirst().detail()))
                : Optional.empty();
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
        if (stretches.isPresent() ? !hasStretch() : position == count) {
            finished = true;
            return null;
        }
        if (stretches.isPresent() && rowsDone == rows.length) {
            // Nothing in this stretch: the engine may have something else to do before the next
            return null;
        }
        pageBytes = 0;
        SourcePage page = nextPage();
        position += page.getPositionCount();
        finished = stretches.isEmpty() && position == count;
        return page;
    }

    /** Goes to the next stretch, which may have no row, if the present one is done; false if there is none. */
    private boolean hasStretch() {
        long start = System.nanoTime();
        try {
            if (rowsDone == rows.length) {
                Optional<int[]> next = stretches.orElseThrow().next();
                if (next.isEmpty()) {
                    return false;
                }
                rows = next.get();
                rowsDone = 0;
                if (settings.usePrefetch() && rows.length > 0 && rows.length <= PREFETCH_ROWS) {
                    found.orElseThrow().prefetch(columns, rows);
                }
            }
        } catch (IOException | RuntimeException e) {
            logBlocks.forget(split, e);
            throw ReadFailures.of(CORDWOOD_CURSOR_ERROR, "Cannot read " + split.description(), e);
        } finally {
            readTimeNanos += System.nanoTime() - start;
        }
        memory.setBytes(scanBytes());
        return true;
    }

    private long scanBytes() {
        return SizeOf.sizeOf(rows) + found.map(LogBlockRows::retainedBytes).orElse(0L);
    }

    private SourcePage nextPage() {
        if (bins.isPresent()) {
            return SourcePage.create(nextBins(bins.get()));
        }
        if (stretches.isEmpty()) {
            int size = (int) Math.min(Integer.MAX_VALUE, count - position);
            return onlyBin.map(
                            bin -> SourcePage.create(new TimeBinBlocks(bin).run(bin.millis(split.fromMicros()), size)))
                    .orElseGet(() -> SourcePage.create(size));
        }
        int size = batch.next(rows.length - rowsDone);
        SourcePage page = columns.isEmpty()
                ? SourcePage.create(size)
                : new LogBlockSourcePage(
                        split.description(), columns, readers, batch, this::retain, rows, rowsDone, size);
        rowsDone += size;
        return page;
    }

    private Block nextBins(TimeBinPages pages) {
        try {
            return pages.next();
        } catch (IOException | RuntimeException e) {
            logBlocks.forget(split, e);
            throw ReadFailures.of(CORDWOOD_CURSOR_ERROR, "Cannot read times of " + split.description(), e);
        }
    }

    /** Whether the scan wants no more of a row than that it is there, or in which bin of time. */
    private boolean countsRows() {
        return (columns.isEmpty() || onlyBin.isPresent())
                && table.limit().isEmpty()
                && table.topN().isEmpty();
    }

    /** Whether the LogBlock's bounds tell the values of all columns asked for. */
    private boolean isKnownFromBounds() {
        return onlyBin.map(bin -> split.fromMicros() != Long.MIN_VALUE
                        && split.toMicros() != Long.MAX_VALUE
                        && bin.isMonotone(split.fromMicros(), split.toMicros())
                        && bin.millis(split.fromMicros()) == bin.millis(split.toMicros()))
                .orElse(columns.isEmpty());
    }

    /** Of the last page alone: the engine has dealt with the ones before. */
    private void retain(long bytes) {
        if (!closed) {
            pageBytes += bytes;
            memory.setBytes(scanBytes() + pageBytes);
        }
    }

    private Outcome open() {
        if (topNBound.isPresent() && topNBound.get().excludes(split)) {
            return Outcome.SKIPPED;
        }
        ScanFilter narrowed = filter.and(dynamicDomain()).within(split.binding().kept());
        if (narrowed.isNone()) {
            return Outcome.SKIPPED;
        }
        TimeRange time = narrowed.time();
        List<Predicate> conjuncts = narrowed.conjuncts();
        if (countsRows()
                && settings.pushAggregation()
                && conjuncts.isEmpty()
                && split.binding().visible().isEmpty()
                && isWithin(time)
                && isKnownFromBounds()) {
            count = split.rowCount() - deletedRows().count();
            return Outcome.COUNTED;
        }
        try {
            LogBlock logBlock = logBlocks.open(split, settings.useCache(), metrics);
            opened = Optional.of(logBlock);
            LogBlockRows scan = LogBlockRows.of(
                    logBlock, split.binding(), time, conjuncts, deletedRows(), wanted(), settings.options(), metrics);
            if (countsRows() && (columns.isEmpty() || logBlock.isOrdered())) {
                SelectedRows counted = scan.all();
                count = counted.size();
                if (onlyBin.isPresent()) {
                    TimeBin bin = onlyBin.get();
                    TimeBinRuns runs = new TimeBinRuns(logBlock.times(settings.options(), metrics), bin);
                    bins = Optional.of(new TimeBinPages(runs, counted, bin));
                }
                return Outcome.OPENED;
            }
            found = Optional.of(scan);
            stretches = Optional.of(limited(logBlock, scan));
            ColumnReaders factory = scan.readers(batch);
            for (CordwoodColumnHandle column : columns) {
                readers.add(forgettingDamage(factory.blocks(column)));
            }
            return Outcome.OPENED;
        } catch (IOException | RuntimeException e) {
            opened.ifPresent(any -> logBlocks.forget(split, e));
            throw ReadFailures.of(CORDWOOD_CURSOR_ERROR, "Cannot read " + split.description(), e);
        }
    }

    private DeletedRows deletedRows() {
        return split.deletes().isEmpty() ? DeletedRows.NONE : logBlocks.deletedRows(split, settings.useCache());
    }

    private BlockReader forgettingDamage(BlockReader reader) {
        return (positions, from, size) -> {
            try {
                return reader.read(positions, from, size);
            } catch (IOException | RuntimeException e) {
                logBlocks.forget(split, e);
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

    private Wanted wanted() {
        if (table.topN().isPresent()) {
            return table.topN().get().newest() ? Wanted.LAST : Wanted.FIRST;
        }
        return table.limit().isPresent() ? Wanted.FIRST : Wanted.ALL;
    }

    private RowStretches limited(LogBlock logBlock, LogBlockRows scan) {
        if (table.limit().isPresent()) {
            return RowStretches.limited(scan, table.limit().getAsLong());
        }
        return table.topN().isPresent() && logBlock.isOrdered()
                ? new TopRows(scan, table.topN().get(), topNBound, split)
                : scan;
    }

    /** Whose rows they are. */
    String tenantId() {
        return split.binding().constant(LogBlockSchema.TENANT_ID).orElseThrow();
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
                .put("rows selected", new LongCount(stretches.isPresent() ? position : count))
                .put("column blocks considered", new LongCount(metrics.columnBlocksConsidered.sum()))
                .put("column blocks pruned by statistics", new LongCount(metrics.columnBlocksPrunedByStatistics.sum()))
                .put("column blocks read", new LongCount(metrics.columnBlocksRead.sum()))
                .put("column blocks cached", new LongCount(metrics.columnBlocksCached.sum()))
                .put("bytes read", new LongCount(metrics.bytesRead.sum()))
                .put("requests", new LongCount(metrics.requests.sum()))
                .put("store bytes", new LongCount(metrics.storeBytes.sum()))
                .put("store requests", new LongCount(metrics.storeRequests.sum()))
                .put("store requests repeated", new LongCount(metrics.storeRetries.sum()))
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
