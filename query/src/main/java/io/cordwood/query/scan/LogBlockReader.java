package io.cordwood.query.scan;

import io.cordwood.catalog.delete.DeletedRows;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.scan.LogBlock;
import io.cordwood.logblock.scan.ScanDirection;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.query.binding.ScannedLogBlock;
import io.cordwood.query.error.QueryError;
import io.cordwood.query.error.QueryException;
import io.cordwood.query.error.ReadFailures;
import io.cordwood.query.plan.ScanFilter;
import java.io.Closeable;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the rows of one LogBlock that a scan wants, stretch by stretch, mostly from the index. Opens the LogBlock only
 * if its bounds do not answer the scan. Not thread-safe.
 */
public final class LogBlockReader implements Closeable {
    /** For so few rows round trips cost more than a column that in the end is not asked for. */
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
    private final ScannedLogBlock description;
    private final ScanRequest request;
    private final ScanFilter filter;
    private final ReadSettings settings;
    private final Optional<TopNBound> bound;
    private final ReadMetrics metrics = new ReadMetrics();

    private Outcome outcome = Outcome.PENDING;
    private Optional<LogBlock> opened = Optional.empty();
    private Optional<TimeBinCounts> bins = Optional.empty();
    private Optional<LogBlockRows> found = Optional.empty();
    /** Those of the rows found that are handed out; empty if they are only counted. */
    private Optional<RowBatches> stretches = Optional.empty();
    /** Rows that are only counted. */
    private long count;

    private long handedOut;

    /**
     * A reader that has not opened the LogBlock yet.
     *
     * @param filter the rows that are wanted
     * @param bound shared with the other LogBlocks of a top-n
     */
    public LogBlockReader(
            LogBlocks logBlocks,
            ScannedLogBlock description,
            ScanRequest request,
            ScanFilter filter,
            ReadSettings settings,
            Optional<TopNBound> bound) {
        this.logBlocks = logBlocks;
        this.description = description;
        this.request = request;
        this.filter = filter;
        this.settings = settings;
        this.bound = bound;
    }

    /** Whether {@link #open} was called. */
    public boolean isOpen() {
        return outcome != Outcome.PENDING;
    }

    /**
     * Opens the LogBlock, if the scan needs it, and begins to look for rows.
     *
     * @param learnt what else is known by now of the rows that are wanted
     * @throws QueryException CANNOT_OPEN_LOGBLOCK, CURSOR_ERROR if the LogBlock or its delete files cannot be read
     */
    public void open(ScanFilter learnt) {
        outcome = tryToOpen(filter.and(learnt).within(description.binding().kept()));
    }

    private Outcome tryToOpen(ScanFilter narrowed) {
        if (narrowed.isNone() || (bound.isPresent() && bound.get().excludes(description))) {
            return Outcome.SKIPPED;
        }
        TimeRange time = narrowed.time();
        List<Predicate> conjuncts = narrowed.conjuncts();
        if (request.countsRows()
                && settings.pushAggregation()
                && conjuncts.isEmpty()
                && description.binding().visible().isEmpty()
                && isWithin(time)
                && isKnownFromBounds()) {
            count = description.rowCount() - deletedRows().count();
            return Outcome.COUNTED;
        }
        try {
            LogBlock logBlock = logBlocks.open(description, settings.useCache(), metrics);
            opened = Optional.of(logBlock);
            LogBlockRows scan = LogBlockRows.of(
                    logBlock,
                    description.binding(),
                    time,
                    conjuncts,
                    deletedRows(),
                    wanted(),
                    settings.options(),
                    metrics);
            if (request.countsRows() && (request.bin().isEmpty() || logBlock.isOrdered())) {
                SelectedRows counted = scan.all();
                count = counted.size();
                if (request.bin().isPresent()) {
                    TimeBinRuns runs = new TimeBinRuns(
                            logBlock.times(settings.options(), metrics),
                            request.bin().get());
                    bins = Optional.of(new TimeBinCounts(runs, counted));
                }
                return Outcome.OPENED;
            }
            found = Optional.of(scan);
            stretches = Optional.of(limited(logBlock, scan));
            return Outcome.OPENED;
        } catch (IOException | RuntimeException e) {
            if (opened.isPresent()) {
                forget(e);
            }
            throw ReadFailures.of(QueryError.CURSOR_ERROR, "Cannot read " + description.description(), e);
        }
    }

    /** Whether the LogBlock's bounds tell all that is asked of each row. */
    private boolean isKnownFromBounds() {
        return request.bin()
                .map(bin -> description.fromMicros() != Long.MIN_VALUE
                        && description.toMicros() != Long.MAX_VALUE
                        && bin.isMonotone(description.fromMicros(), description.toMicros())
                        && bin.millis(description.fromMicros()) == bin.millis(description.toMicros()))
                .orElse(true);
    }

    private boolean isWithin(TimeRange time) {
        return time.fromMicros() <= description.fromMicros() && description.toMicros() <= time.toMicros();
    }

    private DeletedRows deletedRows() {
        return description.deletes().isEmpty()
                ? DeletedRows.NONE
                : logBlocks.deletedRows(description, settings.useCache());
    }

    private ScanDirection wanted() {
        if (request.topN().isPresent()) {
            return request.topN().get().newest() ? ScanDirection.LAST : ScanDirection.FIRST;
        }
        return request.limit().isPresent() ? ScanDirection.FIRST : ScanDirection.ALL;
    }

    private RowBatches limited(LogBlock logBlock, LogBlockRows scan) {
        if (request.limit().isPresent()) {
            return RowBatches.limited(scan, request.limit().getAsLong());
        }
        return request.topN().isPresent() && logBlock.isOrdered()
                ? new TopRows(scan, request.topN().get(), bound, description)
                : scan;
    }

    /** Whether rows are handed out; if not, they are only counted. */
    public boolean hasRows() {
        return stretches.isPresent();
    }

    /** How many rows there are, where they are only counted. */
    public long count() {
        return count;
    }

    /** The counted rows by their time bin; empty if no bin is asked for, or if all rows have that of the first one. */
    public Optional<TimeBinCounts> bins() {
        return bins;
    }

    /** The LogBlock's first instant, in microseconds since the epoch, or a bound below it. */
    public long fromMicros() {
        return description.fromMicros();
    }

    /**
     * Ascending rows of the next stretch, possibly none; empty at the end.
     *
     * @throws QueryException CURSOR_ERROR if the LogBlock cannot be read
     */
    public Optional<int[]> nextRows() {
        try {
            Optional<int[]> next = stretches.orElseThrow().next();
            if (next.isPresent()) {
                int[] rows = next.get();
                if (settings.usePrefetch() && rows.length > 0 && rows.length <= PREFETCH_ROWS) {
                    found.orElseThrow().prefetch(request.columns(), rows);
                }
            }
            return next;
        } catch (IOException | RuntimeException e) {
            throw failure(e);
        }
    }

    /**
     * Makes readers of columns at the rows that are handed out.
     *
     * @param batch told of the values that predicates read
     */
    public ColumnReaders columns(BatchSize batch) {
        return found.orElseThrow().readers(batch);
    }

    /** The failure to read further, for users; the next query reads the LogBlock anew. */
    public QueryException failure(Exception failure) {
        forget(failure);
        return ReadFailures.of(QueryError.CURSOR_ERROR, "Cannot read " + description.description(), failure);
    }

    /** Drops the LogBlock and its bytes from caches: it may have come damaged. */
    public void forget(Exception failure) {
        logBlocks.forget(description, failure);
    }

    /** The LogBlock as errors name it. */
    public String name() {
        return description.description();
    }

    /** Tenant of the rows. */
    public String tenantId() {
        return description.binding().constant(LogBlockSchema.TENANT_ID).orElseThrow();
    }

    /** Bytes that the search for rows holds. */
    public long retainedBytes() {
        return found.map(LogBlockRows::retainedBytes).orElse(0L);
    }

    public long bytesRead() {
        return metrics.bytesRead.sum();
    }

    /** Takes note that rows were handed out. */
    public void handedOut(int rows) {
        handedOut += rows;
    }

    /** How many rows were handed out so far. */
    long rowsHandedOut() {
        return handedOut;
    }

    /** Counts by the names that {@code EXPLAIN ANALYZE VERBOSE} shows. */
    public Map<String, Long> counts() {
        Map<String, Long> counts = new LinkedHashMap<>();
        counts.put("LogBlocks opened", outcome == Outcome.OPENED ? 1L : 0);
        counts.put("LogBlocks counted by manifest", outcome == Outcome.COUNTED ? 1L : 0);
        counts.put("LogBlocks skipped", outcome == Outcome.SKIPPED ? 1L : 0);
        counts.put("LogBlocks without usable index", metrics.indexesUnusable.sum());
        counts.put("rows selected", hasRows() ? handedOut : count);
        counts.put("column blocks considered", metrics.columnBlocksConsidered.sum());
        counts.put("column blocks pruned by statistics", metrics.columnBlocksPrunedByStatistics.sum());
        counts.put("column blocks read", metrics.columnBlocksRead.sum());
        counts.put("column blocks cached", metrics.columnBlocksCached.sum());
        counts.put("bytes read", metrics.bytesRead.sum());
        counts.put("requests", metrics.requests.sum());
        counts.put("store bytes", metrics.storeBytes.sum());
        counts.put("store requests", metrics.storeRequests.sum());
        counts.put("store requests repeated", metrics.storeRetries.sum());
        return counts;
    }

    @Override
    public void close() {
        opened.ifPresent(logBlock -> logBlocks.used(description, logBlock));
        opened = Optional.empty();
    }
}
