package io.cordwood.query.scan;

import io.cordwood.catalog.delete.DeletedRows;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.scan.LogBlock;
import io.cordwood.logblock.scan.ScanDirection;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.query.error.QueryError;
import io.cordwood.query.error.QueryException;
import io.cordwood.query.error.ReadFailures;
import io.cordwood.query.plan.ScanFilter;
import io.cordwood.query.plan.ScannedLogBlock;
import io.cordwood.query.table.QueryColumn;
import java.io.Closeable;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the rows of one LogBlock for a scan, batch by batch, mostly from the index. It opens the LogBlock only if its
 * bounds do not answer the scan. Not thread-safe.
 */
public final class LogBlockReader implements Closeable {
    /**
     * The maximum number of rows to prefetch. For so few rows, round trips cost more than fetching a column that is not
     * used in the end.
     */
    private static final int PREFETCH_ROWS = 1024;

    /** The result of opening the LogBlock. */
    private enum Outcome {
        /** It is not open yet. */
        PENDING,
        /** It was opened. */
        OPENED,
        /** Its rows were counted without opening it. */
        COUNTED,
        /** It has no requested row: the top n are elsewhere, or a join has nothing to match. */
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
    /** Batches of the rows found; empty if rows are only counted. */
    private Optional<RowBatches> batches = Optional.empty();
    /** Number of rows that are only counted. */
    private long count;

    private long handedOut;

    /**
     * Creates a reader that has not opened the LogBlock yet.
     *
     * @param filter the conditions on the requested rows
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
     * Opens the LogBlock, if the scan needs it, and begins the search for rows.
     *
     * @param learnt further conditions on the requested rows that are known by now
     * @throws QueryException CANNOT_OPEN_LOGBLOCK, CURSOR_ERROR, STORE_UNAVAILABLE if the LogBlock or its delete files
     *     cannot be read
     */
    public void open(ScanFilter learnt) {
        outcome = tryToOpen(filter.and(learnt)
                .within(description.requested())
                .within(description.binding().kept()));
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
                    description.rowBinding(),
                    time,
                    conjuncts,
                    deletedRows(),
                    direction(),
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
            batches = Optional.of(limited(logBlock, scan));
            return Outcome.OPENED;
        } catch (IOException | RuntimeException e) {
            if (opened.isPresent()) {
                forget(e);
            }
            throw ReadFailures.of(QueryError.CURSOR_ERROR, "Cannot read " + description.description(), e);
        }
    }

    /** Whether the LogBlock's bounds give all requested values of each row. */
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

    private ScanDirection direction() {
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

    /** Whether the reader returns rows; if not, it only counts them. */
    public boolean hasRows() {
        return batches.isPresent();
    }

    /** The number of rows, if they are only counted. */
    public long count() {
        return count;
    }

    /** The counted rows by time bin; empty if no bin is requested, or if all rows are in the bin of the first one. */
    public Optional<TimeBinCounts> bins() {
        return bins;
    }

    /** The LogBlock's first instant, in microseconds since the epoch, or a bound below it. */
    public long fromMicros() {
        return description.fromMicros();
    }

    /**
     * The ascending rows of the next batch, possibly none; empty at the end.
     *
     * @throws QueryException CURSOR_ERROR, STORE_UNAVAILABLE if the LogBlock cannot be read
     */
    public Optional<int[]> nextRows() {
        try {
            Optional<int[]> next = batches.orElseThrow().next();
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
     * Creates readers of columns at the returned rows.
     *
     * @param batch records the values that predicates read
     */
    public ColumnReaders columns(BatchSize batch) {
        return found.orElseThrow().readers(batch);
    }

    /**
     * Creates readers of columns at any rows, in ascending order. They share nothing with the search for rows, so they
     * can be read after it.
     */
    public ColumnReaders columnsOfAnyRows() {
        return found.orElseThrow().readersOfAnyRows();
    }

    /** The approximate bytes of columns' text in each row, without reading it. */
    public TextSizes textSizes(List<QueryColumn> columns) {
        return found.orElseThrow().textSizes(columns);
    }

    /** Converts a failure to read further into one for users; the next query opens the LogBlock again. */
    public QueryException failure(Exception failure) {
        forget(failure);
        return ReadFailures.of(QueryError.CURSOR_ERROR, "Cannot read " + description.description(), failure);
    }

    /** Drops the LogBlock and its bytes from caches: it may have arrived damaged. */
    public void forget(Exception failure) {
        logBlocks.forget(description, failure);
    }

    /** The name of the LogBlock in errors. */
    public String name() {
        return description.description();
    }

    /** Tenant of the rows. */
    public String tenantId() {
        return description.binding().constant(LogBlockSchema.TENANT_ID).orElseThrow();
    }

    /** The memory of the search for rows, in bytes. */
    public long retainedBytes() {
        return found.map(LogBlockRows::retainedBytes).orElse(0L);
    }

    public long bytesRead() {
        return metrics.bytesRead.sum();
    }

    /** Records that rows were returned. */
    public void handedOut(int rows) {
        handedOut += rows;
    }

    /** The number of rows returned so far. */
    long rowsHandedOut() {
        return handedOut;
    }

    /** The counts by the names that {@code EXPLAIN ANALYZE VERBOSE} shows. */
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
