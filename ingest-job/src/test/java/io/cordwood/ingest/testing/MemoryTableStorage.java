package io.cordwood.ingest.testing;

import io.cordwood.catalog.client.CatalogException;
import io.cordwood.catalog.commit.ArchivedThrough;
import io.cordwood.catalog.commit.CommitOutcome;
import io.cordwood.catalog.commit.CommitTables;
import io.cordwood.catalog.commit.Flush;
import io.cordwood.catalog.commit.LogBlockCommitter;
import io.cordwood.catalog.commit.TableCommitException;
import io.cordwood.catalog.io.InputFileReader;
import io.cordwood.catalog.protocol.EnsuredTable;
import io.cordwood.catalog.protocol.LoadedTable;
import io.cordwood.catalog.protocol.TableReply;
import io.cordwood.catalog.protocol.TableRequest;
import io.cordwood.catalog.table.ColumnAdditions;
import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.catalog.table.ExpiredBefore;
import io.cordwood.catalog.table.OffsetRange;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.table.TableSchemas;
import io.cordwood.catalog.tenant.TenantNames;
import io.cordwood.identity.TokenRules;
import io.cordwood.ingest.storage.LogBlockFlushRewriter;
import io.cordwood.ingest.storage.TableStorage;
import io.cordwood.logblock.io.RangeReader;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.logblock.schema.LogBlockOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.UpdateSchema;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.inmemory.InMemoryCatalog;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.types.Types;

/**
 * Table storage in memory: Iceberg's in-memory catalog and the real committer. Thread-safe. Tests make it fail at will.
 */
public final class MemoryTableStorage implements TableStorage {
    private static final Map<String, MemoryTableStorage> STORAGES = new ConcurrentHashMap<>();

    private final String id = UUID.randomUUID().toString();
    private final InMemoryCatalog catalog = new InMemoryCatalog();
    private final Map<PartitionId, Long> archivedThrough = new ConcurrentHashMap<>();
    private final Map<String, Map<String, TableOffsets>> flushRequests = new ConcurrentHashMap<>();
    private final Map<String, TableOffsets> floors = new ConcurrentHashMap<>();
    private final Set<String> brokenTenants = ConcurrentHashMap.newKeySet();
    private final AtomicInteger ensured = new AtomicInteger();
    private final List<Integer> declared = new CopyOnWriteArrayList<>();
    private final List<Integer> found = new CopyOnWriteArrayList<>();
    private volatile boolean refusesFinds;
    private volatile CountDownLatch released = new CountDownLatch(0);
    private final Map<String, List<ColumnDefinition>> rivals = new ConcurrentHashMap<>();
    private volatile boolean refusesDeclarations;
    private final AtomicInteger commits = new AtomicInteger();
    private final AtomicInteger commitsToFound = new AtomicInteger();
    private final ArchivedThrough settled;
    private final LogBlockCommitter committer;
    private volatile Supplier<TokenRules> tokenRules = () -> {
        throw new CatalogException(404, "there is no authentication");
    };
    private volatile Error error;

    public MemoryTableStorage() {
        catalog.initialize("memory-" + id, Map.of("warehouse", "memory://" + id));
        settled = new ArchivedThrough() {
            @Override
            public TableOffsets read(String tenantId, String stream) {
                return TableOffsets.of(archivedThrough).max(floor(tenantId));
            }

            @Override
            public void raiseFloors(String tenantId, String stream, TableOffsets offsets) {
                floors.computeIfPresent(tenantId, (any, floor) -> floor.max(offsets));
            }
        };
        committer = new LogBlockCommitter(catalog, settled, new LogBlockFlushRewriter(this, LogBlockOptions.DEFAULTS));
        STORAGES.put(id, this);
    }

    /** Opens this same storage. */
    public Factory factory() {
        String name = id;
        return () -> STORAGES.get(name);
    }

    /** From now on neither tables of this tenant are found nor commits to them taken. */
    public void breakTenant(String tenantId) {
        brokenTenants.add(tenantId);
    }

    public void mendTenant(String tenantId) {
        brokenTenants.remove(tenantId);
    }

    /** From now on whatever is committed or published ends in this error. */
    public void failWith(Error failure) {
        error = failure;
    }

    /** From now on these rules of tokens are given. */
    public void tokenRules(Supplier<TokenRules> rules) {
        tokenRules = rules;
    }

    @Override
    public TokenRules tokenRules() {
        return tokenRules.get();
    }

    private void throwError() {
        if (error != null) {
            throw error;
        }
    }

    /** How many commits were tried so far. */
    public int commits() {
        return commits.get();
    }

    /** Whether columns are declared ahead of flushes from now on; at first they are. */
    public void refuseDeclarations(boolean refuse) {
        refusesDeclarations = refuse;
    }

    /** How many tables each request for several tables was about so far. */
    public List<Integer> declared() {
        return declared;
    }

    /** Lets another writer add columns to a tenant's table just before it is given columns the next time. */
    public void addBeforeNextColumns(String tenantId, ColumnDefinition... columns) {
        rivals.put(tenantId, List.of(columns));
    }

    /** How often it was made sure of a table so far. */
    public int ensured() {
        return ensured.get();
    }

    /** The table of a tenant, which is made if there is none. */
    public LoadedTable table(String tenantId, String stream) {
        OffsetRange noRows = new OffsetRange(new PartitionId("none", 0), 0, 0);
        return make(tenantId, stream, List.of(), List.of(), noRows).table().orElseThrow();
    }

    /** Deletes a tenant with its rows below these offsets. */
    public synchronized void deleteTenant(String tenantId, String stream, TableOffsets ends) {
        floors.merge(tenantId, ends, TableOffsets::max);
        catalog.dropTable(identifier(tenantId, stream));
        requestFlush(tenantId, stream, ends);
    }

    private TableOffsets floor(String tenantId) {
        return floors.getOrDefault(tenantId, TableOffsets.NONE);
    }

    @Override
    public Set<String> setTopic(String stream, String topicId) {
        throw new UnsupportedOperationException("Only the source says which topic there is");
    }

    @Override
    public Set<String> endTopics(String stream, Set<String> topicIds) {
        throw new UnsupportedOperationException("Only the source says which topics there are");
    }

    @Override
    public EnsuredTable ensureTable(String stream, TableRequest request) {
        ensured.incrementAndGet();
        awaitRelease();
        return make(stream, request);
    }

    private EnsuredTable make(String stream, TableRequest request) {
        return make(request.tenantId(), stream, request.columns(), request.ofNewTable(), request.rows());
    }

    private synchronized EnsuredTable make(
            String tenantId,
            String stream,
            List<ColumnDefinition> columns,
            List<ColumnDefinition> ofNewTable,
            OffsetRange rows) {
        if (brokenTenants.contains(tenantId)) {
            throw new CatalogException(500, "tenant is broken");
        }
        TableIdentifier identifier = identifier(tenantId, stream);
        long floor = floor(tenantId).offset(rows.partition());
        if (floor > rows.from() && !hasTable(tenantId, stream)) {
            return EnsuredTable.deletedBelow(floor);
        }
        if (!catalog.namespaceExists(identifier.namespace())) {
            catalog.createNamespace(identifier.namespace());
        }
        List<ColumnDefinition> requested = new ArrayList<>(columns);
        if (!catalog.tableExists(identifier)) {
            requested.addAll(ofNewTable);
            catalog.createTable(
                    identifier,
                    TableSchemas.baseSchema(),
                    TableSchemas.daySpec(TableSchemas.baseSchema()),
                    Map.of(
                            "format-version",
                            "2",
                            TableOffsets.PROPERTY,
                            floor(tenantId).toJson()));
        }
        Table table = catalog.loadTable(identifier);
        if (!requested.isEmpty() && rivals.containsKey(tenantId)) {
            addColumns(table, rivals.remove(tenantId));
        }
        Set<String> text = new TreeSet<>(TableSchemas.textColumns(table.properties()));
        for (ColumnDefinition column : addColumns(table, requested)) {
            if (column.type() == ColumnType.VARCHAR && column.index() == IndexKind.TEXT) {
                text.add(column.name());
            }
        }
        table.updateProperties()
                .set(TableSchemas.TEXT_COLUMNS_PROPERTY, TableSchemas.textColumnsProperty(text))
                .commit();
        TableMetadata metadata =
                ((BaseTable) catalog.loadTable(identifier)).operations().current();
        return EnsuredTable.of(new LoadedTable(
                tenantId,
                stream,
                metadata.uuid(),
                metadata.location(),
                metadata.metadataFileLocation(),
                metadata.schema(),
                TableSchemas.logBlockSchema(metadata.schema(), metadata.properties()),
                TableOffsets.fromProperties(metadata.properties()),
                ExpiredBefore.micros(metadata.properties())));
    }

    private static List<ColumnDefinition> addColumns(Table table, List<ColumnDefinition> requested) {
        List<ColumnDefinition> added =
                ColumnAdditions.of(table.schema(), table.specs().values(), requested);
        UpdateSchema update = table.updateSchema();
        added.forEach(column -> update.addColumn(null, column.name(), TableSchemas.icebergType(column.type())));
        update.commit();
        return added;
    }

    @Override
    public List<TableReply> ensureTables(String stream, List<TableRequest> requests) {
        declared.add(requests.size());
        awaitRelease();
        if (refusesDeclarations) {
            throw new CatalogException(503, "not now");
        }
        List<TableReply> replies = new ArrayList<>();
        for (TableRequest request : requests) {
            try {
                replies.add(TableReply.of(make(stream, request)));
            } catch (CatalogException e) {
                replies.add(TableReply.failed(e.getMessage()));
            }
        }
        return replies;
    }

    /** Whether the tenant has a table of the stream. */
    public boolean hasTable(String tenantId, String stream) {
        return catalog.tableExists(identifier(tenantId, stream));
    }

    private static TableIdentifier identifier(String tenantId, String stream) {
        return TenantNames.table(tenantId, stream);
    }

    /** Asks for a flush of what a tenant has below these offsets. */
    public void requestFlush(String tenantId, String stream, TableOffsets offsets) {
        flushRequests.computeIfAbsent(stream, any -> new ConcurrentHashMap<>()).put(tenantId, offsets);
    }

    @Override
    public Map<String, TableOffsets> flushRequests(String stream) {
        return Map.copyOf(flushRequests.getOrDefault(stream, Map.of()));
    }

    @Override
    public Map<PartitionId, Long> archivedThrough(String stream) {
        return Map.copyOf(archivedThrough);
    }

    @Override
    public void advanceArchivedThrough(String stream, Map<PartitionId, Long> offsets) {
        throwError();
        offsets.forEach((partition, offset) -> archivedThrough.merge(partition, offset, Math::max));
    }

    @Override
    public Map<String, CommitTables.Found> findAll(String stream, Set<String> tenantIds) {
        found.add(tenantIds.size());
        awaitRelease();
        if (refusesFinds) {
            throw new CatalogException(503, "not now");
        }
        Map<String, CommitTables.Found> tables = new HashMap<>();
        for (String tenantId : tenantIds) {
            TableOffsets settledOfTenant = settled.read(tenantId, stream);
            Optional<TableOperations> operations = hasTable(tenantId, stream)
                    ? Optional.of(((BaseTable) catalog.loadTable(identifier(tenantId, stream))).operations())
                    : Optional.empty();
            tables.put(tenantId, new CommitTables.Found(settledOfTenant, operations));
        }
        return tables;
    }

    /** Lets requests about tables wait from now on, until the returned latch is counted down. */
    public CountDownLatch hold() {
        released = new CountDownLatch(1);
        return released;
    }

    private void awaitRelease() {
        try {
            released.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CatalogException(503, "interrupted");
        }
    }

    /** From now on tables are not found together. */
    public void refuseFinds() {
        refusesFinds = true;
    }

    /** How many tables each request to find several was about so far. */
    public List<Integer> found() {
        return found;
    }

    /** How many commits were to tables that had been found before. */
    public int commitsToFound() {
        return commitsToFound.get();
    }

    /** Commits flushes of a table that was not found before. */
    public List<CommitOutcome> commit(String tenantId, String stream, List<Flush> flushes) throws InterruptedException {
        return commit(tenantId, stream, flushes, Optional.empty());
    }

    @Override
    public List<CommitOutcome> commit(
            String tenantId, String stream, List<Flush> flushes, Optional<CommitTables.Found> known)
            throws InterruptedException {
        throwError();
        if (brokenTenants.contains(tenantId)) {
            throw new TableCommitException(tenantId, stream, "tenant is broken", null);
        }
        commits.incrementAndGet();
        known.ifPresent(any -> commitsToFound.incrementAndGet());
        return committer.commit(tenantId, stream, flushes, known);
    }

    @Override
    public OutputStream create(String location) {
        return io().newOutputFile(location).create();
    }

    @Override
    public RangeReader open(String location) {
        return new InputFileReader(io().newInputFile(location));
    }

    private FileIO io() {
        TableIdentifier any = catalog.listNamespaces().stream()
                .flatMap(namespace -> catalog.listTables(namespace).stream())
                .findFirst()
                .orElseThrow();
        return catalog.loadTable(any).io();
    }

    /** What a table's live files hold: {@code partition/offset/ordinal} of each row, sorted. */
    public List<String> rows(String tenantId, String stream) {
        TableIdentifier identifier = identifier(tenantId, stream);
        if (!catalog.namespaceExists(identifier.namespace()) || !catalog.tableExists(identifier)) {
            return List.of();
        }
        Table table = catalog.loadTable(identifier);
        List<String> rows = new ArrayList<>();
        try (CloseableIterable<FileScanTask> files = table.newScan().planFiles()) {
            for (FileScanTask task : files) {
                rows.addAll(Rows.identities(
                        open(task.file().location()), TableSchemas.logBlockSchema(table.schema(), table.properties())));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        rows.sort(null);
        return rows;
    }

    /** What a table's live files hold in one column, as text. */
    public List<String> values(String tenantId, String stream, String column) throws IOException {
        Table table = catalog.loadTable(identifier(tenantId, stream));
        List<String> values = new ArrayList<>();
        try (CloseableIterable<FileScanTask> files = table.newScan().planFiles()) {
            for (FileScanTask task : files) {
                values.addAll(Rows.texts(
                        open(task.file().location()),
                        TableSchemas.logBlockSchema(table.schema(), table.properties()),
                        column));
            }
        }
        return values;
    }

    /** Sets a property of a table. */
    public void setProperty(String tenantId, String stream, String name, String value) {
        catalog.loadTable(identifier(tenantId, stream))
                .updateProperties()
                .set(name, value)
                .commit();
    }

    /** Names of a table's columns. */
    public List<String> columns(String tenantId, String stream) {
        return catalog.loadTable(identifier(tenantId, stream)).schema().columns().stream()
                .map(Types.NestedField::name)
                .toList();
    }

    /** The table offset. */
    public long tableOffset(String tenantId, String stream, PartitionId partition) {
        return TableOffsets.fromProperties(
                        catalog.loadTable(identifier(tenantId, stream)).properties())
                .offset(partition);
    }

    /** Live files of a table. */
    public int files(String tenantId, String stream) {
        Map<String, String> summary = catalog.loadTable(identifier(tenantId, stream))
                .currentSnapshot()
                .summary();
        return Integer.parseInt(new HashMap<>(summary).getOrDefault("total-data-files", "0"));
    }

    /** Stays open: operators come and go. */
    @Override
    public void close() {}
}
