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
import java.util.function.Predicate;

/**
 * What one transaction sees: for each table the metadata pointer that was current when the transaction first asked.
 * Thread-safe.
 *
 * <p>The order is that of the offsets protocol: archived-through W, then the pointers (one call gives both), and the
 * end offsets of the partitions later: when splits are planned, or while a query of one table is. A pointer that is
 * read after another one's W is no older than it, so all tables of a query hold at least the rows below the first W
 * that was read, which is the one that counts.
 */
public final class QuerySnapshot {
    private static final int ATTEMPTS = 5;

    private record TableKey(String tenantId, String stream) {}

    private record ViewerKey(String viewer, String stream) {}

    private final QueryCatalog catalog;
    private final HotTierReader tail;
    private final Map<TableKey, Optional<TableVersion>> tables = new HashMap<>();
    /** W of each stream as it was first read, with the first pointers. */
    private final Map<String, TableOffsets> archivedThrough = new HashMap<>();
    /** Floors of tenants that were deleted. */
    private final Map<TableKey, TableOffsets> floors = new HashMap<>();

    /** Tenants without a table whose rows are not in Kafka either. */
    private final Set<TableKey> notArriving = new HashSet<>();

    private final Map<String, Optional<LogEnds>> tails = new HashMap<>();
    private final Set<TableKey> unreadable = new HashSet<>();
    /** For tables from which the transaction deletes rows: the offsets below which it sees rows. */
    private final Map<TableKey, TableOffsets> limits = new HashMap<>();

    private final Map<String, Pointers> streams = new HashMap<>();
    /** Of streams over all tenants. They stay: scans are planned with the columns that the query was analysed with. */
    private final Map<ViewerKey, List<StreamColumn>> columns = new HashMap<>();

    private int references;

    public QuerySnapshot(QueryCatalog catalog, HotTierReader tail) {
        this.catalog = catalog;
        this.tail = tail;
    }

    /** Notes that the transaction refers to a table once more. */
    public synchronized void addReference() {
        references++;
    }

    /**
     * Whether it refers to one table, once: then nothing of ours is joined, and once the query is analysed, no pointer
     * is left that has not been read.
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
     * The table of a tenant that has none yet, while Kafka has records of it. It has the base columns. Empty if Kafka
     * has no records of the tenant.
     */
    public synchronized Optional<TableVersion> arrivingTable(String tenantId, String stream, ReadLimits limits) {
        TableKey key = new TableKey(tenantId, stream);
        if (!catalog.streams().contains(stream) || !notArriving.add(key)) {
            return Optional.empty();
        }
        // Not the end that the query reads to: other tables' pointers may still be asked for
        Optional<LogEnds> version = tail.end(stream);
        if (version.isEmpty() || !tail.holds(tenantId, version.get(), hotSpans(tenantId, version.get()), limits)) {
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
        return tail.known(version, spans).prune(spans, ScanBounds.of(tenantId, TimeRange.ALL), new PruningMetrics());
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

    /** Where the stream's tables of all tenants stand, ordered by tenant id. */
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
     * The columns that a stream has over all tenants that a user sees. No table is read for an operator, as one call
     * of the catalog tells; others learn no name that only tenants of others have.
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
     * Where the stream's log ends for this transaction; asked for when its tables are known. Empty if there is none.
     *
     * @throws QueryException KAFKA_ERROR if Kafka cannot be reached
     */
    public synchronized Optional<LogEnds> tail(String stream) {
        return tails.computeIfAbsent(stream, tail::end);
    }

    /**
     * The rows of the stream that are acknowledged now, of its topic and of those that it had before under the same
     * name. This transaction need not read to there.
     */
    public AcknowledgedRows acknowledgedNow(String tenantId, String stream) {
        Optional<String> before = tail.topicId(stream);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            // Read before the end: then what is known of other topics is of earlier ones.
            Pointers pointers = catalog.pointers(stream, List.of(tenantId));
            TableOffsets inTable = pointers.table(tenantId)
                    .map(pointer -> catalog.load(stream, pointer).offsets())
                    .orElse(TableOffsets.NONE);
            Optional<LogEnds> end = tail.end(stream);
            Optional<String> after = end.map(LogEnds::topicId);
            if (after.equals(before)) {
                return AcknowledgedRows.of(
                        end, TableOffsets.of(pointers.archivedThrough()).max(inTable));
            }
            before = after;
        }
        throw new QueryException(
                QueryError.KAFKA_ERROR,
                "Topic '%s' is deleted or created while it is looked at; run the statement again".formatted(stream));
    }

    /** Whether there is a Kafka that may hold rows. */
    public boolean hasHotTail() {
        return tail.isConfigured();
    }

    /**
     * Forgets what was read of a stream, so that what is asked for next is as it is then; for the time before scans are
     * planned. All of it, as pointers must be no older than W.
     */
    public synchronized void renew(String stream) {
        archivedThrough.remove(stream);
        streams.remove(stream);
        tails.remove(stream);
        tables.keySet().removeIf(key -> key.stream().equals(stream));
        unreadable.removeIf(key -> key.stream().equals(stream));
        notArriving.removeIf(key -> key.stream().equals(stream));
    }

    /**
     * Lets the transaction see no more of a table than the rows below these offsets: rows of it are deleted. All of
     * them are in LogBlocks.
     */
    public synchronized void limitTo(String tenantId, String stream, TableOffsets below) {
        limits.put(new TableKey(tenantId, stream), below);
    }

    /** The offsets below which the transaction sees a table's rows; empty if it sees all. */
    public synchronized Optional<TableOffsets> limit(String tenantId, String stream) {
        return Optional.ofNullable(limits.get(new TableKey(tenantId, stream)));
    }

    /** Where the rows begin that are not in a table: those below are in it, or gone because its tenant was deleted. */
    public synchronized TableOffsets unarchivedFrom(TableVersion table) {
        return archivedThrough(table.stream())
                .max(floor(table.tenantId(), table.stream()))
                .max(table.offsets());
    }

    /** The offsets between a table and the end of the log, with records of any tenant. */
    public List<OffsetSpan> unarchived(TableVersion table) {
        return tail(table.stream())
                .map(end -> end.spansFrom(unarchivedFrom(table)))
                .orElse(List.of());
    }

    /**
     * What lies between the tenant's LogBlocks and an end of the log, in partitions where some of it is the tenant's.
     */
    public synchronized List<OffsetSpan> spansWithRows(String tenantId, LogEnds end, ReadLimits limits) {
        String stream = end.stream();
        List<OffsetSpan> spans = end.spansFrom(
                unarchivedFrom(table(tenantId, stream).orElseGet(() -> TableVersion.withoutTable(tenantId, stream))));
        List<HotSpan> unpruned =
                tail.known(end, spans).prune(spans, ScanBounds.of(tenantId, TimeRange.ALL), new PruningMetrics());
        if (unpruned.isEmpty() || !tail.holds(tenantId, end, unpruned, limits)) {
            return List.of();
        }
        return spans.stream()
                .filter(span -> {
                    List<HotSpan> inPartition = unpruned.stream()
                            .filter(each -> each.span().partition() == span.partition())
                            .toList();
                    return !inPartition.isEmpty() && tail.holds(tenantId, end, inPartition, limits);
                })
                .toList();
    }

    /**
     * What is known of the chunks in spans of the stream's tail.
     *
     * @param maxAge how old it may be of chunks that grow; empty for as old as the catalog says
     */
    public KnownChunks known(LogEnds version, List<OffsetSpan> spans, Optional<Duration> maxAge) {
        return tail.known(version, spans, maxAge);
    }

    /** What is known of a tenant's columns there. */
    public KnownColumns knownColumns(
            LogEnds version, String tenantId, List<OffsetSpan> spans, Optional<Duration> maxAge) {
        return tail.knownColumns(version, tenantId, spans, maxAge);
    }

    /** Archived-through W of the stream: all rows of all tenants below it are in tables that this transaction sees. */
    public synchronized TableOffsets archivedThrough(String stream) {
        return archivedThrough.getOrDefault(stream, TableOffsets.NONE);
    }

    /** Offsets below which rows of the tenant are gone because it was deleted. */
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
     * @throws QueryException INVALID_METADATA if one cannot be read; the message does not say which, since
     *     the user may not know of that tenant
     */
    public synchronized List<TableVersion> tables(String stream, Predicate<String> tenants) {
        List<TableVersion> readable = readableTables(stream, tenants);
        long wanted = pointers(stream).stream()
                .filter(pointer -> tenants.test(pointer.tenantId()))
                .count();
        if (readable.size() < wanted) {
            throw new QueryException(
                    QueryError.INVALID_METADATA,
                    "Cannot read the metadata of %d of %d tables of stream '%s': the server's log says which and why"
                            .formatted(wanted - readable.size(), wanted, stream));
        }
        return readable;
    }

    /** Those of the stream's tables of some tenants that can be read, ordered by tenant id. */
    public synchronized List<TableVersion> readableTables(String stream, Predicate<String> tenants) {
        List<TablePointer> wanted = pointers(stream).stream()
                .filter(pointer -> tenants.test(pointer.tenantId()))
                .toList();
        List<TablePointer> missing = wanted.stream()
                .filter(pointer -> !unreadable.contains(key(stream, pointer)))
                .filter(pointer -> known(stream, pointer).isEmpty())
                .toList();
        for (TableVersion table : catalog.loadReadable(stream, missing)) {
            tables.put(new TableKey(table.tenantId(), stream), Optional.of(table));
        }
        missing.stream()
                .filter(pointer -> known(stream, pointer).isEmpty())
                .forEach(pointer -> unreadable.add(key(stream, pointer)));
        return wanted.stream()
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
