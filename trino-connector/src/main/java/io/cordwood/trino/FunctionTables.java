package io.cordwood.trino;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static io.trino.spi.security.AccessDeniedException.denySelectTable;

import com.google.inject.Inject;
import io.cordwood.catalog.tenant.TenantNames;
import io.cordwood.query.snapshot.QueryCatalog;
import io.cordwood.trino.handle.CordwoodTableHandle;
import io.cordwood.trino.handle.TableColumnHandle;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ColumnSchema;
import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.SchemaTableName;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Opens the tables that table functions read, under the grants of {@code SELECT}. Thread-safe. */
final class FunctionTables {
    private final QueryCatalog catalog;
    private final CordwoodTransactions transactions;
    private final CordwoodMetadataFactory metadataFactory;

    @Inject
    FunctionTables(QueryCatalog catalog, CordwoodTransactions transactions, CordwoodMetadataFactory metadataFactory) {
        this.catalog = catalog;
        this.transactions = transactions;
        this.metadataFactory = metadataFactory;
    }

    /**
     * A table that the user may read.
     *
     * @param name its name
     * @param handle a scan of all its rows
     * @param columns the columns that {@code SELECT *} shows
     */
    record Opened(SchemaTableName name, CordwoodTableHandle handle, List<TableColumnHandle> columns) {}

    /**
     * Opens the table of the arguments {@code tenant} and {@code stream}.
     *
     * @param instead what can be written where the function is refused because of row filters and column masks
     */
    Opened open(
            ConnectorSession session,
            ConnectorTransactionHandle transaction,
            FunctionArguments arguments,
            ConnectorAccessControl accessControl,
            String instead) {
        String tenant = arguments.text(FunctionArguments.TENANT);
        String stream = arguments.text(FunctionArguments.STREAM).toLowerCase(Locale.ROOT);
        if (stream.isEmpty()) {
            throw arguments.invalid(FunctionArguments.STREAM, "it must not be empty");
        }
        SchemaTableName name = new SchemaTableName(schemaName(arguments, tenant), stream);
        // Before the lookup: a user without a grant must not even learn whether the tenant exists
        accessControl.checkCanSelectFromColumns(null, name, Optional.empty(), Set.of());

        CordwoodMetadata metadata = metadataFactory.create(transactions.version(transaction));
        CordwoodTableHandle table = Optional.ofNullable((CordwoodTableHandle)
                        metadata.getTableHandle(session, name, Optional.empty(), Optional.empty()))
                .orElseThrow(() -> unknown(arguments, tenant, stream));
        List<TableColumnHandle> columns = metadata.visibleColumns(table);
        checkAccess(accessControl, name, columns, "system.%s %s".formatted(arguments.function(), instead));
        return new Opened(name, table, columns);
    }

    private static String schemaName(FunctionArguments arguments, String tenant) {
        try {
            return TenantNames.schemaName(tenant);
        } catch (IllegalArgumentException e) {
            throw arguments.invalid(FunctionArguments.TENANT, e.getMessage());
        }
    }

    private TrinoException unknown(FunctionArguments arguments, String tenant, String stream) {
        return catalog.streams().contains(stream)
                ? arguments.invalid(
                        FunctionArguments.TENANT,
                        "there is no tenant '%s' with rows in stream '%s'".formatted(tenant, stream))
                : arguments.invalid(
                        FunctionArguments.STREAM,
                        "there is no stream '%s'; streams are: %s"
                                .formatted(stream, String.join(", ", catalog.streams())));
    }

    /**
     * Rejects tables with row filters or column masks. The engine applies these to a named table, but cannot apply them
     * here.
     */
    private static void checkAccess(
            ConnectorAccessControl accessControl,
            SchemaTableName name,
            List<TableColumnHandle> columns,
            String explanation) {
        accessControl.checkCanSelectFromColumns(
                null,
                name,
                Optional.empty(),
                columns.stream().map(TableColumnHandle::name).collect(toImmutableSet()));
        if (!isWithoutRules(accessControl, name, columns)) {
            denySelectTable(name.toString(), explanation);
        }
    }

    private static boolean isWithoutRules(
            ConnectorAccessControl accessControl, SchemaTableName name, List<TableColumnHandle> columns) {
        List<ColumnSchema> schemas = columns.stream()
                .map(column -> column.metadata().getColumnSchema())
                .collect(toImmutableList());
        try {
            return accessControl.getRowFilters(null, name).isEmpty()
                    && accessControl.getColumnMasks(null, name, schemas).isEmpty();
        } catch (TrinoException e) {
            // The engine does not pass filters and masks to connectors, and fails if there are any
            if (e.getErrorCode().equals(NOT_SUPPORTED.toErrorCode())) {
                return false;
            }
            throw e;
        }
    }
}
