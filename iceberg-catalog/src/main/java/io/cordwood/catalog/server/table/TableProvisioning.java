package io.cordwood.catalog.server.table;

import io.cordwood.catalog.protocol.TableRequest;
import io.cordwood.catalog.server.store.Database;
import io.cordwood.catalog.server.store.OffsetStore;
import io.cordwood.catalog.server.store.TenantStore;
import io.cordwood.catalog.table.ColumnAdditions;
import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.catalog.table.OffsetRange;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.table.TableSchemas;
import io.cordwood.catalog.tenant.TenantNames;
import io.cordwood.logblock.schema.IndexKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.UpdateSchema;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.apache.iceberg.types.Types;

/**
 * Creates and widens tables on request of writers. Thread-safe.
 *
 * <p>Two writers may request one column with different types. The first to commit decides; the other finds the column
 * and gets the resulting schema back, so that it can put its own values elsewhere.
 */
public final class TableProvisioning {
    private static final int MAX_ATTEMPTS = 10;
    /** Consecutive failures after which the rest of a batch is not tried. */
    private static final int MAX_FAILURES = 3;

    private final JdbcCatalog catalog;
    private final Database database;
    private final TableLocks locks;
    private final UsageRollUp usage;

    /**
     * A table, or the floor below which its rows were deleted.
     *
     * @param table the table; empty if rows that need it were deleted with the tenant
     * @param floor rows below this offset were deleted; 0 if there is a table
     */
    public record Ensured(Optional<TableMetadata> table, long floor) {}

    /**
     * The outcome of one of several requests.
     *
     * @param ensured result; empty if it failed
     * @param failure reason of the failure
     */
    public record Attempt(Optional<Ensured> ensured, String failure) {}

    public TableProvisioning(JdbcCatalog catalog, Database database, TableLocks locks, UsageRollUp usage) {
        this.catalog = catalog;
        this.database = database;
        this.locks = locks;
        this.usage = usage;
    }

    /**
     * Ensures that the table exists and has these columns, existing ones with their own types, and that its tenant is
     * registered. Leaves out columns that {@link ColumnAdditions} refuses. The schema that the commit is based on
     * decides that, so it is decided again if another commit comes in between.
     *
     * @param ofNewTable further columns of a table that must be created
     * @param rows the rows that need the table. If some of them were deleted with the tenant, no table is created for
     *     them
     * @return the resulting table
     * @throws CommitFailedException if others keep changing the table
     */
    public Ensured ensure(
            String tenantId,
            String stream,
            List<ColumnDefinition> columns,
            List<ColumnDefinition> ofNewTable,
            Optional<OffsetRange> rows) {
        TableIdentifier identifier = TenantNames.table(tenantId, stream);
        return locks.locked(identifier, () -> {
            for (int attempt = 1; ; attempt++) {
                try {
                    Ensured ensured = loadOrCreate(identifier, tenantId, stream, columns, ofNewTable, rows);
                    ensured.table().ifPresent(table -> register(tenantId, stream, table));
                    return ensured;
                } catch (CommitFailedException | AlreadyExistsException | NoSuchNamespaceException e) {
                    if (attempt == MAX_ATTEMPTS) {
                        throw e;
                    }
                }
            }
        });
    }

    /**
     * Ensures several tables, one after the other.
     *
     * @return outcome of each request, in the same order
     */
    public List<Attempt> ensureAll(String stream, List<TableRequest> requests) {
        List<Attempt> attempts = new ArrayList<>();
        int failures = 0;
        for (TableRequest request : requests) {
            Attempt attempt = failures == MAX_FAILURES
                    ? new Attempt(Optional.empty(), "postponed: the catalog failed for several tenants before it")
                    : attempt(stream, request);
            if (attempt.ensured().isPresent()) {
                failures = 0;
            } else if (failures < MAX_FAILURES) {
                failures++;
            }
            attempts.add(attempt);
        }
        return attempts;
    }

    private Attempt attempt(String stream, TableRequest request) {
        try {
            return new Attempt(
                    Optional.of(ensure(
                            request.tenantId(),
                            stream,
                            request.columns(),
                            request.ofNewTable(),
                            Optional.of(request.rows()))),
                    "");
        } catch (RuntimeException e) {
            // A failure for one tenant must not stop the others.
            return new Attempt(Optional.empty(), e.toString());
        }
    }

    private Ensured loadOrCreate(
            TableIdentifier identifier,
            String tenantId,
            String stream,
            List<ColumnDefinition> columns,
            List<ColumnDefinition> ofNewTable,
            Optional<OffsetRange> rows) {
        Table table;
        boolean isNew = false;
        try {
            table = catalog.loadTable(identifier);
        } catch (NoSuchTableException e) {
            TableOffsets floors = database.read(connection -> OffsetStore.floors(connection, stream, tenantId));
            Optional<Long> floor = rows.map(OffsetRange::partition)
                    .map(floors::offset)
                    .filter(offset -> offset > rows.get().from());
            if (floor.isPresent()) {
                return new Ensured(Optional.empty(), floor.get());
            }
            List<ColumnDefinition> all = new ArrayList<>(columns);
            all.addAll(ofNewTable);
            table = create(identifier, floors, all);
            isNew = true;
        }
        List<ColumnDefinition> missing =
                ColumnAdditions.of(table.schema(), table.specs().values(), columns);
        if (!missing.isEmpty()) {
            widen(table, missing);
        }
        TableMetadata metadata = ((BaseTable) table).operations().current();
        if (isNew || !missing.isEmpty()) {
            usage.committed(identifier, metadata);
        }
        return new Ensured(Optional.of(metadata), 0);
    }

    private Table create(TableIdentifier identifier, TableOffsets floors, List<ColumnDefinition> columns) {
        try {
            catalog.createNamespace(identifier.namespace(), Map.of());
        } catch (AlreadyExistsException e) {
            // The usual case, if the tenant has another stream.
        }
        Schema base = TableSchemas.baseSchema();
        List<ColumnDefinition> first = ColumnAdditions.of(base, List.of(TableSchemas.daySpec(base)), columns);
        Map<String, String> properties = new HashMap<>();
        properties.put(TableOffsets.PROPERTY, floors.toJson());
        properties.put(TableSchemas.TEXT_COLUMNS_PROPERTY, TableSchemas.textColumnsProperty(textColumns(first)));
        Schema schema = schema(first);
        return catalog.buildTable(identifier, schema)
                .withPartitionSpec(TableSchemas.daySpec(schema))
                .withProperties(properties)
                .create();
    }

    /**
     * Registers the tenant after its table, so that no tenant is registered without one.
     *
     * @throws CommitFailedException if the tenant was deleted meanwhile, and the table will be dropped
     */
    private void register(String tenantId, String stream, TableMetadata table) {
        String schemaName = TenantNames.schemaName(tenantId);
        boolean registered = database.read(
                connection -> TenantStore.withSchema(connection, schemaName).isPresent());
        if (!registered) {
            TableOffsets offsets = TableOffsets.fromProperties(table.properties());
            database.write(connection -> {
                TableOffsets floors = OffsetStore.floors(connection, stream, tenantId);
                if (!offsets.max(floors).equals(offsets)) {
                    throw new CommitFailedException(
                            "Tenant '%s' was deleted while its table of stream '%s' was created", tenantId, stream);
                }
                TenantStore.register(connection, tenantId);
                return null;
            });
        }
    }

    private static Schema schema(List<ColumnDefinition> columns) {
        List<Types.NestedField> fields =
                new ArrayList<>(TableSchemas.baseSchema().columns());
        int fieldId = TableSchemas.baseSchema().highestFieldId();
        for (ColumnDefinition column : columns) {
            fieldId++;
            fields.add(Types.NestedField.optional(fieldId, column.name(), TableSchemas.icebergType(column.type())));
        }
        return new Schema(fields);
    }

    private static void widen(Table table, List<ColumnDefinition> missing) {
        Transaction transaction = table.newTransaction();
        UpdateSchema update = transaction.updateSchema();
        // The parent is explicit, although there is none, because otherwise a dot in a name would mean a nested column.
        missing.forEach(column -> update.addColumn(null, column.name(), TableSchemas.icebergType(column.type())));
        update.commit();
        Set<String> textColumns = TableSchemas.textColumns(table.properties());
        if (textColumns.addAll(textColumns(missing))) {
            transaction
                    .updateProperties()
                    .set(TableSchemas.TEXT_COLUMNS_PROPERTY, TableSchemas.textColumnsProperty(textColumns))
                    .commit();
        }
        transaction.commitTransaction();
    }

    private static List<String> textColumns(List<ColumnDefinition> columns) {
        return columns.stream()
                .filter(column -> column.index() == IndexKind.TEXT)
                .map(ColumnDefinition::name)
                .toList();
    }
}
