package io.cordwood.trino;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.cordwood.trino.error.CordwoodErrorCode.CORDWOOD_INTERNAL_ERROR;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;

import io.airlift.slice.Slice;
import io.cordwood.catalog.delete.DeletionParser;
import io.cordwood.catalog.protocol.Pointers.TablePointer;
import io.cordwood.catalog.tenant.Tenant;
import io.cordwood.query.delete.DeleteStatement;
import io.cordwood.query.delete.ReadVersion;
import io.cordwood.query.delete.RowDeletion;
import io.cordwood.query.plan.ScanFilter;
import io.cordwood.query.snapshot.QueryCatalog;
import io.cordwood.query.snapshot.QuerySnapshot;
import io.cordwood.query.table.AllTenants;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.query.table.TableVersion;
import io.cordwood.trino.config.CordwoodSessionProperties;
import io.cordwood.trino.handle.ComputedColumnHandle;
import io.cordwood.trino.handle.CordwoodColumnHandle;
import io.cordwood.trino.handle.CordwoodMergeHandle;
import io.cordwood.trino.handle.CordwoodTableHandle;
import io.cordwood.trino.handle.TableColumnHandle;
import io.cordwood.trino.pushdown.AggregationPushdown;
import io.cordwood.trino.pushdown.FilterPushdown;
import io.cordwood.trino.pushdown.ProjectionPushdown;
import io.cordwood.trino.pushdown.ScanFilters;
import io.cordwood.trino.pushdown.TopNPushdown;
import io.cordwood.trino.security.Viewer;
import io.cordwood.trino.statistics.ColumnStatisticsReader;
import io.trino.spi.TrinoException;
import io.trino.spi.catalog.CatalogName;
import io.trino.spi.connector.AggregateFunction;
import io.trino.spi.connector.AggregationApplicationResult;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.ConnectorMergeTableHandle;
import io.trino.spi.connector.ConnectorMetadata;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.ConnectorTableMetadata;
import io.trino.spi.connector.ConnectorTableProperties;
import io.trino.spi.connector.ConnectorTableVersion;
import io.trino.spi.connector.ConnectorViewDefinition;
import io.trino.spi.connector.Constraint;
import io.trino.spi.connector.ConstraintApplicationResult;
import io.trino.spi.connector.LimitApplicationResult;
import io.trino.spi.connector.ProjectionApplicationResult;
import io.trino.spi.connector.RelationColumnsMetadata;
import io.trino.spi.connector.RelationCommentMetadata;
import io.trino.spi.connector.RetryMode;
import io.trino.spi.connector.RowChangeParadigm;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.SortItem;
import io.trino.spi.connector.TableFunctionApplicationResult;
import io.trino.spi.connector.TopNApplicationResult;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.function.table.ConnectorTableFunctionHandle;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.statistics.ComputedStatistics;
import io.trino.spi.statistics.Estimate;
import io.trino.spi.statistics.TableStatistics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Schemas, tables and columns as one transaction sees them, and push-down into its scans. Thread-safe.
 *
 * <p>Push-down is in {@link FilterPushdown}, {@link ProjectionPushdown}, {@link AggregationPushdown} and {@link
 * TopNPushdown}.
 */
final class CordwoodMetadata implements ConnectorMetadata {
    private final CatalogName catalogName;
    private final QueryCatalog catalog;
    private final AllTenants allTenants;
    private final CordwoodNodePartitioningProvider partitioning;
    private final ColumnStatisticsReader columnStatistics;
    private final AggregationPushdown aggregationPushdown;
    private final RowDeletion rowDeletion;
    private final QuerySnapshot version;

    CordwoodMetadata(
            CatalogName catalogName,
            QueryCatalog catalog,
            AllTenants allTenants,
            CordwoodNodePartitioningProvider partitioning,
            ColumnStatisticsReader columnStatistics,
            AggregationPushdown aggregationPushdown,
            RowDeletion rowDeletion,
            QuerySnapshot version) {
        this.aggregationPushdown = aggregationPushdown;
        this.rowDeletion = rowDeletion;
        this.columnStatistics = columnStatistics;
        this.partitioning = partitioning;
        this.catalogName = catalogName;
        this.catalog = catalog;
        this.allTenants = allTenants;
        this.version = version;
    }

    @Override
    public List<String> listSchemaNames(ConnectorSession session) {
        Viewer viewer = viewer(session);
        return Stream.concat(catalog.tenants().stream().map(Tenant::schemaName), Stream.of(AllTenants.SCHEMA))
                .filter(viewer::seesSchema)
                .collect(toImmutableList());
    }

    @Override
    public boolean schemaExists(ConnectorSession session, String schemaName) {
        viewer(session).checkSees(schemaName);
        return schemaName.equals(AllTenants.SCHEMA)
                || catalog.tenantId(schemaName).filter(catalog::tenantExists).isPresent();
    }

    @Override
    public ConnectorTableHandle getTableHandle(
            ConnectorSession session,
            SchemaTableName tableName,
            Optional<ConnectorTableVersion> startVersion,
            Optional<ConnectorTableVersion> endVersion) {
        version.addReference();
        Optional<CordwoodTableHandle> handle = table(session, tableName);
        if (handle.isPresent() && (startVersion.isPresent() || endVersion.isPresent())) {
            throw new TrinoException(
                    NOT_SUPPORTED, "Cordwood tables have no versions to choose; leave FOR VERSION out");
        }
        return handle.orElse(null);
    }

    /**
     * Looks a table up. The engine checks access only when it has resolved all names of a statement; so it is checked
     * here too, before anything is read.
     */
    private Optional<CordwoodTableHandle> table(ConnectorSession session, SchemaTableName tableName) {
        Viewer viewer = viewer(session);
        viewer.checkSees(tableName.getSchemaName());
        if (tableName.getSchemaName().equals(AllTenants.SCHEMA)) {
            return catalog.streams().contains(tableName.getTableName())
                    ? Optional.of(CordwoodTableHandle.ofAllTenants(tableName, viewer.user()))
                    : Optional.empty();
        }
        return catalog.tenantId(tableName.getSchemaName())
                .filter(tenantId -> hasTable(session, tenantId, tableName.getTableName()))
                .map(tenantId -> CordwoodTableHandle.of(tableName, tenantId));
    }

    /** The {@link CollisionView}s of a table. Like hidden columns, they can be queried but are not listed. */
    @Override
    public Optional<ConnectorViewDefinition> getView(ConnectorSession session, SchemaTableName viewName) {
        return CollisionView.Named.of(viewName)
                .flatMap(named -> table(session, named.table())
                        .map(table -> named.view()
                                .definition(
                                        catalogName.toString(),
                                        named.table(),
                                        visibleColumns(table),
                                        viewOwner(session))));
    }

    /** Operators see the columns by which a view orders rows; for other users the view has an owner who does. */
    private Optional<String> viewOwner(ConnectorSession session) {
        Viewer viewer = viewer(session);
        return viewer.isOperator() ? Optional.empty() : Optional.of(viewer.viewOwner());
    }

    private Viewer viewer(ConnectorSession session) {
        return Viewer.of(session.getUser(), catalog.accessRules());
    }

    private boolean hasTable(ConnectorSession session, String tenantId, String stream) {
        return version.table(tenantId, stream).isPresent()
                || (CordwoodSessionProperties.readsHotTier(session)
                        && version.arrivingTable(tenantId, stream, CordwoodSessionProperties.hotReadLimits(session))
                                .isPresent());
    }

    @Override
    public List<SchemaTableName> listTables(ConnectorSession session, Optional<String> schemaName) {
        List<String> schemas = schemaName.map(List::of).orElseGet(() -> listSchemaNames(session));
        Viewer viewer = viewer(session);
        return schemas.stream()
                .filter(viewer::seesSchema)
                .filter(schema -> schemaName.isEmpty() || schemaExists(session, schema))
                .flatMap(schema -> catalog.streams().stream().map(stream -> new SchemaTableName(schema, stream)))
                .collect(toImmutableList());
    }

    @Override
    public ConnectorTableMetadata getTableMetadata(ConnectorSession session, ConnectorTableHandle table) {
        CordwoodTableHandle handle = (CordwoodTableHandle) table;
        return new ConnectorTableMetadata(handle.name(), columnMetadata(columns(handle)));
    }

    @Override
    public Map<String, ColumnHandle> getColumnHandles(ConnectorSession session, ConnectorTableHandle table) {
        return columns((CordwoodTableHandle) table).entrySet().stream()
                .collect(toImmutableMap(Map.Entry::getKey, column -> new TableColumnHandle(column.getValue())));
    }

    private Map<String, QueryColumn> columns(CordwoodTableHandle table) {
        return table.tenantId()
                .map(tenantId -> version.table(tenantId, table.stream())
                        .orElseThrow(() -> new TrinoException(
                                CORDWOOD_INTERNAL_ERROR, "Table %s is unknown".formatted(table.name())))
                        .columns()
                        .columns())
                .orElseGet(
                        () -> columnsOfAllTenants(table.stream(), table.viewer().orElseThrow()));
    }

    private Map<String, QueryColumn> columnsOfAllTenants(String stream, String viewer) {
        return allTenants.columns(stream, () -> version.columns(stream, viewer));
    }

    @Override
    public ColumnMetadata getColumnMetadata(
            ConnectorSession session, ConnectorTableHandle table, ColumnHandle columnHandle) {
        return ((CordwoodColumnHandle) columnHandle).metadata();
    }

    /** The columns that {@code SELECT *} shows, in its order. */
    List<TableColumnHandle> visibleColumns(CordwoodTableHandle table) {
        return columns(table).values().stream()
                .filter(column -> !column.isHidden())
                .map(TableColumnHandle::new)
                .collect(toImmutableList());
    }

    private static List<ColumnMetadata> columnMetadata(Map<String, QueryColumn> columns) {
        return columns.values().stream()
                .map(column -> new TableColumnHandle(column).metadata())
                .collect(toImmutableList());
    }

    @Override
    public Iterator<RelationColumnsMetadata> streamRelationColumns(
            ConnectorSession session, Optional<String> schemaName, UnaryOperator<Set<SchemaTableName>> relationFilter) {
        Set<SchemaTableName> requested = relationFilter.apply(new HashSet<>(listTables(session, schemaName)));
        List<RelationColumnsMetadata> relations = new ArrayList<>();
        for (String stream : catalog.streams()) {
            Set<String> schemas = new TreeSet<>();
            requested.stream()
                    .filter(name -> name.getTableName().equals(stream))
                    .forEach(name -> schemas.add(name.getSchemaName()));
            addColumns(session, stream, schemas, relations);
        }
        return relations.iterator();
    }

    @Override
    public Iterator<RelationCommentMetadata> streamRelationComments(
            ConnectorSession session, Optional<String> schemaName, UnaryOperator<Set<SchemaTableName>> relationFilter) {
        return relationFilter.apply(new HashSet<>(listTables(session, schemaName))).stream()
                .map(table -> RelationCommentMetadata.forRelation(table, Optional.empty()))
                .iterator();
    }

    /** Adds the readable tables of a stream in some schemas. */
    private void addColumns(
            ConnectorSession session, String stream, Set<String> schemas, List<RelationColumnsMetadata> relations) {
        Map<String, TablePointer> pointers = new HashMap<>();
        if (!schemas.isEmpty()) {
            version.pointers(stream).forEach(pointer -> pointers.put(pointer.namespace(), pointer));
            pointers.keySet().retainAll(schemas);
        }
        Set<String> tenantIds =
                pointers.values().stream().map(TablePointer::tenantId).collect(toImmutableSet());
        Map<String, TableVersion> tables = new HashMap<>();
        version.readableTables(stream, tenantIds::contains).forEach(table -> tables.put(table.tenantId(), table));
        for (String schema : schemas) {
            Optional<Map<String, QueryColumn>> columns;
            if (schema.equals(AllTenants.SCHEMA)) {
                columns =
                        Optional.of(columnsOfAllTenants(stream, viewer(session).user()));
            } else if (pointers.containsKey(schema)) {
                columns = Optional.ofNullable(tables.get(pointers.get(schema).tenantId()))
                        .map(table -> table.columns().columns());
            } else {
                columns = Optional.of(
                        TableVersion.withoutTable(schema, stream).columns().columns());
            }
            columns.map(CordwoodMetadata::columnMetadata)
                    .map(metadata -> RelationColumnsMetadata.forTable(new SchemaTableName(schema, stream), metadata))
                    .ifPresent(relations::add);
        }
    }

    @Override
    public ConnectorTableProperties getTableProperties(ConnectorSession session, ConnectorTableHandle table) {
        if (((CordwoodTableHandle) table).isCombined()) {
            return new ConnectorTableProperties();
        }
        // The scan waits for the join's small side only if that runs in another stage
        return CordwoodSessionProperties.useSingleStage(session) && version.refersToOneTable()
                ? new ConnectorTableProperties(
                        TupleDomain.all(), partitioning.tablePartitioning(), Optional.empty(), List.of())
                : new ConnectorTableProperties();
    }

    /**
     * Row counts of the tables that the user may see and the pushed conditions admit; for a single table also column
     * statistics.
     */
    @Override
    public TableStatistics getTableStatistics(ConnectorSession session, ConnectorTableHandle table) {
        CordwoodTableHandle handle = (CordwoodTableHandle) table;
        if (handle.groups().isPresent()) {
            return TableStatistics.empty();
        }
        if (handle.isCombined()) {
            return TableStatistics.builder()
                    .setRowCount(
                            Estimate.of((double) handle.topN().orElseThrow().count()))
                    .build();
        }
        Optional<List<TableVersion>> tables = handle.tenantId()
                .map(tenantId ->
                        version.table(tenantId, handle.stream()).stream().toList())
                .or(() -> tablesForStatistics(viewer(session), handle));
        long rows = 0;
        for (TableVersion each : tables.orElse(List.of())) {
            OptionalLong count = each.rowCount();
            if (count.isEmpty()) {
                return TableStatistics.empty();
            }
            rows += count.getAsLong();
        }
        if (tables.isEmpty()) {
            return TableStatistics.empty();
        }
        TableStatistics.Builder statistics = TableStatistics.builder().setRowCount(Estimate.of((double) rows));
        if (handle.tenantId().isPresent() && tables.get().size() == 1) {
            columnStatistics.read(tables.get().getFirst(), rows).forEach(statistics::setColumnStatistics);
        }
        return statistics.build();
    }

    private Optional<List<TableVersion>> tablesForStatistics(Viewer viewer, CordwoodTableHandle table) {
        boolean limitsTenants = table.domain()
                .getDomains()
                .filter(domains -> !domains.containsKey(TableColumnHandle.TENANT_ID))
                .isEmpty();
        if (!limitsTenants && !viewer.isOperator()) {
            return Optional.empty();
        }
        ScanFilter filter = ScanFilters.of(table, true);
        return Optional.of(version.readableTables(
                table.stream(), tenantId -> filter.admitsTenant(tenantId) && viewer.seesTenant(tenantId)));
    }

    @Override
    public Optional<TableFunctionApplicationResult<ConnectorTableHandle>> applyTableFunction(
            ConnectorSession session, ConnectorTableFunctionHandle function) {
        // Other functions run as such
        return function instanceof TailFunction.Handle(CordwoodTableHandle table)
                ? Optional.of(new TableFunctionApplicationResult<>(table, List.copyOf(visibleColumns(table))))
                : Optional.empty();
    }

    @Override
    public Optional<ConstraintApplicationResult<ConnectorTableHandle>> applyFilter(
            ConnectorSession session, ConnectorTableHandle table, Constraint constraint) {
        return FilterPushdown.apply((CordwoodTableHandle) table, constraint);
    }

    @Override
    public Optional<ProjectionApplicationResult<ConnectorTableHandle>> applyProjection(
            ConnectorSession session,
            ConnectorTableHandle table,
            List<ConnectorExpression> projections,
            Map<String, ColumnHandle> assignments) {
        return ((CordwoodTableHandle) table).groups().isPresent()
                ? Optional.empty()
                : ProjectionPushdown.apply(session, table, projections, assignments);
    }

    @Override
    public Optional<AggregationApplicationResult<ConnectorTableHandle>> applyAggregation(
            ConnectorSession session,
            ConnectorTableHandle table,
            List<AggregateFunction> aggregates,
            Map<String, ColumnHandle> assignments,
            List<List<ColumnHandle>> groupingSets) {
        return CordwoodSessionProperties.pushAggregation(session)
                ? aggregationPushdown.apply(session, (CordwoodTableHandle) table, aggregates, groupingSets)
                : Optional.empty();
    }

    @Override
    public Optional<LimitApplicationResult<ConnectorTableHandle>> applyLimit(
            ConnectorSession session, ConnectorTableHandle table, long limit) {
        CordwoodTableHandle handle = (CordwoodTableHandle) table;
        if (handle.topN().isPresent()
                || handle.groups().isPresent()
                || (handle.limit().isPresent() && handle.limit().getAsLong() <= limit)) {
            return Optional.empty();
        }
        return Optional.of(new LimitApplicationResult<>(handle.withLimit(limit), false, false));
    }

    @Override
    public Optional<TopNApplicationResult<ConnectorTableHandle>> applyTopN(
            ConnectorSession session,
            ConnectorTableHandle table,
            long topNCount,
            List<SortItem> sortItems,
            Map<String, ColumnHandle> assignments) {
        return CordwoodSessionProperties.pushTopN(session)
                ? TopNPushdown.apply((CordwoodTableHandle) table, topNCount, sortItems, assignments)
                : Optional.empty();
    }

    @Override
    public RowChangeParadigm getRowChangeParadigm(ConnectorSession session, ConnectorTableHandle table) {
        return RowChangeParadigm.DELETE_ROW_AND_INSERT_ROW;
    }

    @Override
    public ColumnHandle getMergeRowIdColumnHandle(ConnectorSession session, ConnectorTableHandle table) {
        tenantOfDeletion((CordwoodTableHandle) table);
        return ComputedColumnHandle.ROW_ID;
    }

    @Override
    public ConnectorMergeTableHandle beginMerge(
            ConnectorSession session,
            ConnectorTableHandle table,
            Map<Integer, Collection<ColumnHandle>> updateCaseColumns,
            RetryMode retryMode) {
        if (retryMode != RetryMode.NO_RETRIES) {
            throw new TrinoException(NOT_SUPPORTED, "DELETE does not support query retries: set retry_policy to NONE");
        }
        CordwoodTableHandle handle = (CordwoodTableHandle) table;
        long startedAt = session.getStart().toEpochMilli();
        Optional<ReadVersion> read =
                rowDeletion.begin(statement(session, startedAt), version, tenantOfDeletion(handle), handle.stream());
        return new CordwoodMergeHandle(handle, read, startedAt);
    }

    @Override
    public void finishMerge(
            ConnectorSession session,
            ConnectorMergeTableHandle merge,
            List<ConnectorTableHandle> sources,
            Collection<Slice> fragments,
            Collection<ComputedStatistics> statistics) {
        CordwoodMergeHandle handle = (CordwoodMergeHandle) merge;
        rowDeletion.finish(
                statement(session, handle.requestedAt()),
                tenantOfDeletion(handle.table()),
                handle.table().stream(),
                predicate(handle.table(), sources),
                handle.version(),
                fragments.stream()
                        .map(fragment -> DeletionParser.writtenDeletes(fragment.getBytes()))
                        .toList());
    }

    private static DeleteStatement statement(ConnectorSession session, long startedAt) {
        return new DeleteStatement(
                session.getQueryId(),
                session.getUser(),
                startedAt,
                CordwoodSessionProperties.hotReadLimits(session),
                CordwoodSessionProperties.deleteFlushTimeout(session));
    }

    private static String tenantOfDeletion(CordwoodTableHandle table) {
        return table.tenantId()
                .orElseThrow(() -> new TrinoException(
                        NOT_SUPPORTED,
                        "Delete from the table of one tenant, as in cordwood.acme.%s, not from %s"
                                .formatted(table.stream(), table.name())));
    }

    /** The conditions that were pushed into the scan of the table; the engine does not pass the statement's text. */
    private static String predicate(CordwoodTableHandle table, List<ConnectorTableHandle> sources) {
        return sources.stream()
                .filter(CordwoodTableHandle.class::isInstance)
                .map(CordwoodTableHandle.class::cast)
                .filter(source -> source.name().equals(table.name()))
                .map(CordwoodTableHandle::toString)
                .findFirst()
                .orElse(table.toString());
    }
}
