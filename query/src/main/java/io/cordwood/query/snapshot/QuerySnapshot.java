package io.cordwood.query.snapshot;

import static com.google.common.collect.ImmutableSet.toImmutableSet;

import io.cordwood.catalog.protocol.Pointers;
import io.cordwood.catalog.protocol.Pointers.TablePointer;
import io.cordwood.catalog.table.ColumnUnion;
import io.cordwood.catalog.table.StreamColumn;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.tenant.AccessRules;
import io.cordwood.hot.LogEnds;
import io.cordwood.hot.ReadLimits;
import io.cordwood.hot.log.HotSpan;
import io.cordwood.hot.log.OffsetSpan;
import io.cordwood.hot.statistics.KnownChunks;
import io.cordwood.hot.statistics.KnownColumns;
import io.cordwood.hot.statistics.PruningMetrics;
import io.cordwood.hot.statistics.ScanBounds;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.query.error.QueryError;
import io.cordwood.query.error.QueryException;
import io.cordwood.query.table.TableVersion;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;

/**
 * The view of the data in one transaction: for each table the metadata pointer that was current when the transaction
 * first requested it. Thread-safe.
 *
 * <p>The offsets protocol sets the order of reads: archived-through, then the pointers (one call returns both), and
 * later the log ends: when splits are planned, or already when the query of a single table is planned. Only a question
 * about a single table may read them {@linkplain #readLogEndsAhead at the same time}. A pointer that
 * is read after some archived-through is no older than it. So all tables of a query hold at least the rows below the
 * archived-through that was read first, and the snapshot uses that one.
 */
public final class QuerySnapshot {
    private static final int ATTEMPTS = 5;

    private record TableKey(String tenantId, String stream) {}

    private record ViewerKey(String viewer, String stream) {}

    private final QueryCatalog catalog;
    private final HotTierReader hotTier;
    private final Map<TableKey, Optional<TableVersion>> tables = new HashMap<>();
    /** Archived-through of each stream from the first read, together with the first pointers. */
    private final Map<String, TableOffsets> archivedThrough = new HashMap<>();
    /** Floors of tenants that were deleted. */
    private final Map<TableKey, TableOffsets> floors = new HashMap<>();

    /** Tenants without a table whose rows are not in Kafka either. */
    private final Set<TableKey> notArriving = new HashSet<>();

    private final Map<String, Optional<LogEnds>> logEnds = new HashMap<>();
    /** Log ends that another thread reads. */
    private final Map<String, CompletableFuture<Optional<LogEnds>>> logEndsAhead = new HashMap<>();

    private final Set<TableKey> unreadable = new HashSet<>();
    /** For tables from which the transaction deletes rows: the offsets below which it sees rows. */
    private final Map<TableKey, TableOffsets> limits = new HashMap<>();

    private final Map<String, Pointers> streams = new HashMap<>();
    /**
     * Columns of streams over all tenants. They stay, so that a scan is planned with the columns of the query's
     * analysis.
     */
    private final Map<ViewerKey, List<StreamColumn>> columns = new HashMap<>();

    private int references;

    public QuerySnapshot(QueryCatalog catalog, HotTierReader hotTier) {
        this.catalog = catalog;
        this.hotTier = hotTier;
    }

    /** Records one more reference of the transaction to a table. */
    public synchronized void addReference() {
        references++;
    }

    /**
     * Whether the transaction refers to one table, once. Then it joins no two tables of this catalog, and once the
     * query is analysed, all its pointers have been read.
     */
    public synchronized boolean refersToOneTable() {
        return references == 1;
    }

    /** The table of a tenant; empty if there is no such tenant or stream. */
    public synchronized Optional<TableVersion> table(String tenantId, String stream) {
        TableKey key = new TableKey(tenantId, stream);
        Optional<TableVersion> known = tables.get(key);
        if (known == null) {
            known = load(tenantId, stream);
            tables.put(key, known);
        }
        return known;
    }

    /**
     * The table, with the base columns, of a tenant that has records in Kafka but no table yet. Empty if Kafka has no
     * records of the tenant.
     */
    public synchronized Optional<TableVersion> arrivingTable(String tenantId, String stream, ReadLimits limits) {
        TableKey key = new TableKey(tenantId, stream);
        if (!catalog.streams().contains(stream) || !notArriving.add(key)) {
            return Optional.empty();
        }
        // Not the log end that the query reads to: other tables' pointers may still be requested
        Optional<LogEnds> version = hotTier.end(stream);
        if (version.isEmpty() || !hotTier.holds(tenantId, version.get(), hotSpans(tenantId, version.get()), limits)) {
            return Optional.empty();
        }
        notArriving.remove(key);
        Optional<TableVersion> table = Optional.of(TableVersion.withoutTable(tenantId, stream));
        tables.put(key, table);
        return table;
    }

    private List<HotSpan> hotSpans(String tenantId, LogEnds version) {
        List<OffsetSpan> spans =
                version.spansFrom(unarchivedFrom(TableVersion.withoutTable(tenantId, version.stream())));
        return hotTier.known(version, spans).prune(spans, ScanBounds.of(tenantId, TimeRange.ALL), new PruningMetrics());
    }

    private Optional<TableVersion> load(String tenantId, String stream) {
        if (!catalog.streams().contains(stream)) {
            return Optional.empty();
        }
        Pointers all = streams.get(stream);
        Pointers read = all == null ? catalog.pointers(stream, List.of(tenantId)) : all;
        note(stream, read);
        Optional<TablePointer> pointer = read.table(tenantId);
        if (pointer.isPresent()) {
            return pointer.map(found -> catalog.load(stream, found));
        }
        return catalog.tenantExists(tenantId)
                ? Optional.of(TableVersion.withoutTable(tenantId, stream))
                : Optional.empty();
    }

    /** Pointers to the stream's tables of all tenants, ordered by tenant id. */
    public synchronized List<TablePointer> pointers(String stream) {
        return pointersOfAll(stream).tables();
    }

    private Pointers pointersOfAll(String stream) {
        return streams.computeIfAbsent(stream, any -> {
            Pointers read = catalog.pointers(stream);
            note(stream, read);
            return read;
        });
    }

    /**
     * The columns of a stream over all tenants that a user sees. For an operator this is one catalog call without
     * reading tables; other users learn no column name that only tenants of others have.
     */
    public synchronized List<StreamColumn> columns(String stream, String viewer) {
        ViewerKey key = new ViewerKey(viewer, stream);
        List<StreamColumn> known = columns.get(key);
        if (known == null) {
            AccessRules rules = catalog.accessRules();
            known = rules.isOperator(viewer)
                    ? catalog.columns(stream)
                    : columnsOf(readableTables(stream, tenantId -> rules.sees(viewer, tenantId)));
            columns.put(key, known);
        }
        return known;
    }

    private static List<StreamColumn> columnsOf(List<TableVersion> tables) {
        ColumnUnion union = new ColumnUnion();
        tables.forEach(table -> union.add(table.streamColumns(), 1));
        return union.columns();
    }

    private void note(String stream, Pointers read) {
        archivedThrough.putIfAbsent(stream, TableOffsets.of(read.archivedThrough()));
        read.floors().forEach((tenantId, floor) -> floors.putIfAbsent(new TableKey(tenantId, stream), floor));
    }

    /**
     * The log ends of the stream for this transaction; requested once its tables are known. Empty if there is no log.
     *
     * @throws QueryException KAFKA_UNAVAILABLE if Kafka cannot be reached
     */
    public synchronized Optional<LogEnds> logEnds(String stream) {
        return logEnds.computeIfAbsent(
                stream,
                any -> Optional.ofNullable(logEndsAhead.remove(stream))
                        .map(QuerySnapshot::join)
                        .orElseGet(() -> hotTier.end(stream)));
    }

    /**
     * Begins to read the log ends of a stream beside what is read next. Only for a transaction that refers to one
     * table: it need not know the table first. Where the table's offsets are beyond the log ends, the table has all
     * rows between, so the transaction still sees each row that was acknowledged before, once. Several tables could
     * differ in the rows after the log ends.
     */
    public synchronized void readLogEndsAhead(String stream) {
        if (hasHotTier() && catalog.streams().contains(stream)) {
            logEndsAhead.computeIfAbsent(stream, any -> hotTier.plan(() -> hotTier.end(stream)));
        }
    }

    private static Optional<LogEnds> join(CompletableFuture<Optional<LogEnds>> reading) {
        try {
            return reading.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    /**
     * The rows of the stream that are acknowledged now, in its topic and in earlier topics of the same name. This
     * transaction need not read up to there.
     */
    public AcknowledgedRows acknowledgedNow(String tenantId, String stream) {
        Optional<String> before = hotTier.topicId(stream);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            // Read before the log end, so that any other known topics are earlier ones.
            Pointers pointers = catalog.pointers(stream, List.of(tenantId));
            TableOffsets inTable = pointers.table(tenantId)
                    .map(pointer -> catalog.load(stream, pointer).offsets())
                    .orElse(TableOffsets.NONE);
            Optional<LogEnds> end = hotTier.end(stream);
            Optional<String> after = end.map(LogEnds::topicId);
            if (after.equals(before)) {
                return AcknowledgedRows.of(
                        end, TableOffsets.of(pointers.archivedThrough()).max(inTable));
            }
            before = after;
        }
        throw new QueryException(
                QueryError.KAFKA_ERROR,
                "Topic '%s' is being deleted or created; run the statement again".formatted(stream));
    }

    /** Whether a Kafka that may hold rows is configured. */
    public boolean hasHotTier() {
        return hotTier.isConfigured();
    }

    /**
     * Forgets all that was read of a stream, so that the next read is current; only before scans are planned. It
     * forgets everything, because pointers must be no older than archived-through.
     */
    public synchronized void renew(String stream) {
        archivedThrough.remove(stream);
        streams.remove(stream);
        logEnds.remove(stream);
        logEndsAhead.remove(stream);
        tables.keySet().removeIf(key -> key.stream().equals(stream));
        unreadable.removeIf(key -> key.stream().equals(stream));
        notArriving.removeIf(key -> key.stream().equals(stream));
    }

    /**
     * Limits the transaction to a table's rows below these offsets, which are all in LogBlocks, because it deletes rows
     * of the table.
     */
    public synchronized void limitTo(String tenantId, String stream, TableOffsets below) {
        limits.put(new TableKey(tenantId, stream), below);
    }

    /** The offsets that limit the transaction's view of a table; empty if it sees all rows. */
    public synchronized Optional<TableOffsets> limit(String tenantId, String stream) {
        return Optional.ofNullable(limits.get(new TableKey(tenantId, stream)));
    }

    /**
     * The offsets where rows outside a table begin: rows below are in the table, or gone because its tenant was
     * deleted.
     */
    public synchronized TableOffsets unarchivedFrom(TableVersion table) {
        return archivedThrough(table.stream())
                .max(floor(table.tenantId(), table.stream()))
                .max(table.offsets());
    }

    /** The offsets between a table and the log ends, with records of any tenant. */
    public List<OffsetSpan> unarchived(TableVersion table) {
        return logEnds(table.stream())
                .map(end -> end.spansFrom(unarchivedFrom(table)))
                .orElse(List.of());
    }

    /**
     * The offsets between the tenant's LogBlocks and the given log ends, in partitions that hold rows of the tenant
     * there.
     */
    public synchronized List<OffsetSpan> spansWithRows(String tenantId, LogEnds end, ReadLimits limits) {
        String stream = end.stream();
        List<OffsetSpan> spans = end.spansFrom(
                unarchivedFrom(table(tenantId, stream).orElseGet(() -> TableVersion.withoutTable(tenantId, stream))));
        List<HotSpan> unpruned =
                hotTier.known(end, spans).prune(spans, ScanBounds.of(tenantId, TimeRange.ALL), new PruningMetrics());
        if (unpruned.isEmpty() || !hotTier.holds(tenantId, end, unpruned, limits)) {
            return List.of();
        }
        return spans.stream()
                .filter(span -> {
                    List<HotSpan> inPartition = unpruned.stream()
                            .filter(each -> each.span().partition() == span.partition())
                            .toList();
                    return !inPartition.isEmpty() && hotTier.holds(tenantId, end, inPartition, limits);
                })
                .toList();
    }

    /**
     * Statistics of the chunks in spans of the stream's hot rows.
     *
     * @param maxAge maximum age of statistics of growing chunks; empty for the catalog's setting
     */
    public KnownChunks known(LogEnds version, List<OffsetSpan> spans, Optional<Duration> maxAge) {
        return hotTier.known(version, spans, maxAge);
    }

    /** Statistics of a tenant's columns in these chunks. */
    public KnownColumns knownColumns(
            LogEnds version, String tenantId, List<OffsetSpan> spans, Optional<Duration> maxAge) {
        return hotTier.knownColumns(version, tenantId, spans, maxAge);
    }

    /** Archived-through of the stream: all rows of all tenants below it are in tables that this transaction sees. */
    public synchronized TableOffsets archivedThrough(String stream) {
        return archivedThrough.getOrDefault(stream, TableOffsets.NONE);
    }

    /** Offsets; rows of the tenant below them are gone, because it was deleted. */
    public synchronized TableOffsets floor(String tenantId, String stream) {
        return floors.getOrDefault(new TableKey(tenantId, stream), TableOffsets.NONE);
    }

    /** The tenants of the stream that have been deleted at some time. */
    public synchronized Set<String> deletedTenants(String stream) {
        return floors.keySet().stream()
                .filter(key -> key.stream().equals(stream))
                .map(TableKey::tenantId)
                .collect(toImmutableSet());
    }

    /**
     * The stream's tables of some tenants, ordered by tenant id.
     *
     * @throws QueryException INVALID_METADATA if a table cannot be read; the message does not name it, since the user
     *     may not know of that tenant
     */
    public synchronized List<TableVersion> tables(String stream, Predicate<String> tenants) {
        List<TableVersion> readable = readableTables(stream, tenants);
        long expected = pointers(stream).stream()
                .filter(pointer -> tenants.test(pointer.tenantId()))
                .count();
        if (readable.size() < expected) {
            throw new QueryException(
                    QueryError.INVALID_METADATA,
                    "Cannot read the metadata of %d of %d tables of stream '%s': the server's log says which and why"
                            .formatted(expected - readable.size(), expected, stream));
        }
        return readable;
    }

    /** The readable ones of the stream's tables of some tenants, ordered by tenant id. */
    public synchronized List<TableVersion> readableTables(String stream, Predicate<String> tenants) {
        List<TablePointer> requested = pointers(stream).stream()
                .filter(pointer -> tenants.test(pointer.tenantId()))
                .toList();
        List<TablePointer> missing = requested.stream()
                .filter(pointer -> !unreadable.contains(key(stream, pointer)))
                .filter(pointer -> known(stream, pointer).isEmpty())
                .toList();
        for (TableVersion table : catalog.loadReadable(stream, missing)) {
            tables.put(new TableKey(table.tenantId(), stream), Optional.of(table));
        }
        missing.stream()
                .filter(pointer -> known(stream, pointer).isEmpty())
                .forEach(pointer -> unreadable.add(key(stream, pointer)));
        return requested.stream()
                .flatMap(pointer -> known(stream, pointer).stream())
                .toList();
    }

    private Optional<TableVersion> known(String stream, TablePointer pointer) {
        return tables.getOrDefault(key(stream, pointer), Optional.empty());
    }

    private static TableKey key(String stream, TablePointer pointer) {
        return new TableKey(pointer.tenantId(), stream);
    }
}
