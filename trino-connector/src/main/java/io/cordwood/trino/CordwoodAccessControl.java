package io.cordwood.trino;

import static io.trino.spi.security.AccessDeniedException.denyDeleteTable;
import static io.trino.spi.security.AccessDeniedException.denyInsertTable;
import static io.trino.spi.security.AccessDeniedException.denySelectColumns;
import static io.trino.spi.security.AccessDeniedException.denySetCatalogSessionProperty;
import static io.trino.spi.security.AccessDeniedException.denyShowColumns;
import static io.trino.spi.security.AccessDeniedException.denyShowCreateSchema;
import static io.trino.spi.security.AccessDeniedException.denyShowCreateTable;
import static io.trino.spi.security.AccessDeniedException.denyShowTables;
import static io.trino.spi.security.AccessDeniedException.denyUpdateTableColumns;

import com.google.inject.Inject;
import io.cordwood.query.snapshot.QueryCatalog;
import io.cordwood.query.table.AllTenants;
import io.cordwood.trino.config.CordwoodSessionProperties;
import io.cordwood.trino.security.Viewer;
import io.cordwood.trino.system.DeletionsTable;
import io.trino.spi.connector.ConnectorSecurityContext;
import io.trino.spi.connector.SchemaRoutineName;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.function.SchemaFunctionName;
import io.trino.spi.security.ViewExpression;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Access rules from the tenant registry. Until the first grant, every user sees everything; afterwards operators see
 * everything, and other users see the tenants granted to them. {@code all_tenants} is open to all users and filtered by
 * row. Deleting rows needs a grant of its own; no other writes are allowed. Thread-safe.
 *
 * <p>The engine asks after it has resolved names. So {@link CordwoodMetadata} asks {@link Viewer} too, before.
 */
final class CordwoodAccessControl extends UnsupportedStatementAccessControl {
    private final QueryCatalog catalog;

    @Inject
    CordwoodAccessControl(QueryCatalog catalog) {
        this.catalog = catalog;
    }

    @Override
    public void checkCanShowSchemas(ConnectorSecurityContext context) {}

    @Override
    public Set<String> filterSchemas(ConnectorSecurityContext context, Set<String> schemaNames) {
        Viewer viewer = viewer(context);
        return schemaNames.stream().filter(viewer::seesSchema).collect(Collectors.toSet());
    }

    @Override
    public void checkCanShowTables(ConnectorSecurityContext context, String schemaName) {
        if (!sees(context, schemaName)) {
            denyShowTables(schemaName);
        }
    }

    @Override
    public Set<SchemaTableName> filterTables(ConnectorSecurityContext context, Set<SchemaTableName> tableNames) {
        Viewer viewer = viewer(context);
        return tableNames.stream()
                .filter(table -> viewer.seesSchema(table.getSchemaName()))
                .collect(Collectors.toSet());
    }

    @Override
    public void checkCanShowColumns(ConnectorSecurityContext context, SchemaTableName tableName) {
        if (!sees(context, tableName.getSchemaName())) {
            denyShowColumns(tableName.toString());
        }
    }

    @Override
    public Map<SchemaTableName, Set<String>> filterColumns(
            ConnectorSecurityContext context, Map<SchemaTableName, Set<String>> tableColumns) {
        Viewer viewer = viewer(context);
        return tableColumns.entrySet().stream()
                .filter(table -> viewer.seesSchema(table.getKey().getSchemaName()))
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        table -> table.getValue().stream()
                                .filter(viewer::seesColumn)
                                .collect(Collectors.toSet())));
    }

    @Override
    public void checkCanShowCreateSchema(ConnectorSecurityContext context, String schemaName) {
        if (!sees(context, schemaName)) {
            denyShowCreateSchema(schemaName);
        }
    }

    @Override
    public void checkCanShowCreateTable(ConnectorSecurityContext context, SchemaTableName tableName) {
        if (!sees(context, tableName.getSchemaName())) {
            denyShowCreateTable(tableName.toString());
        }
    }

    @Override
    public void checkCanSelectFromColumns(
            ConnectorSecurityContext context,
            SchemaTableName tableName,
            Optional<String> branchName,
            Set<String> columnNames) {
        Viewer viewer = viewer(context);
        viewer.checkSees(tableName.getSchemaName());
        List<String> hidden = columnNames.stream()
                .filter(name -> !viewer.seesColumn(name))
                .sorted()
                .toList();
        if (!hidden.isEmpty()) {
            denySelectColumns(
                    tableName.toString(), hidden, "they tell how much other tenants send, so only operators see them");
        }
    }

    @Override
    public void checkCanDeleteFromTable(
            ConnectorSecurityContext context, SchemaTableName tableName, Optional<String> branchName) {
        if (tableName.getSchemaName().equals(AllTenants.SCHEMA)) {
            denyDeleteTable(
                    tableName.toString(),
                    "delete from the table of one tenant, as in cordwood.acme.%s".formatted(tableName.getTableName()));
        }
        Viewer viewer = viewer(context);
        viewer.checkSees(tableName.getSchemaName());
        if (tableName.getSchemaName().equals(DeletionsTable.SCHEMA)) {
            denyDeleteTable(tableName.toString(), "it is a table of the system");
        }
        if (!viewer.mayDeleteFrom(tableName.getSchemaName())) {
            denyDeleteTable(
                    tableName.toString(),
                    "user '%s' may read this tenant and not delete its rows; an operator can grant the role deleter"
                            .formatted(viewer.user()));
        }
    }

    @Override
    public void checkCanUpdateTableColumns(
            ConnectorSecurityContext context,
            SchemaTableName tableName,
            Optional<String> branchName,
            Set<String> updatedColumnNames) {
        denyUpdateTableColumns(
                tableName.toString(), updatedColumnNames, "log rows cannot be changed; only DELETE is supported");
    }

    @Override
    public void checkCanInsertIntoTable(
            ConnectorSecurityContext context, SchemaTableName tableName, Optional<String> branchName) {
        denyInsertTable(tableName.toString(), "rows come from Kafka; only DELETE is supported");
    }

    @Override
    public void checkCanCreateViewWithSelectFromColumns(
            ConnectorSecurityContext context,
            SchemaTableName tableName,
            Optional<String> branchName,
            Set<String> columnNames) {
        checkCanSelectFromColumns(context, tableName, branchName, columnNames);
    }

    @Override
    public void checkCanSetCatalogSessionProperty(ConnectorSecurityContext context, String propertyName) {
        if (CordwoodSessionProperties.isLimit(propertyName) && !viewer(context).isOperator()) {
            denySetCatalogSessionProperty(
                    propertyName + ": it limits what one user takes from all others, so only operators set it");
        }
    }

    @Override
    public boolean canExecuteFunction(ConnectorSecurityContext context, SchemaRoutineName function) {
        return true;
    }

    @Override
    public boolean canCreateViewWithExecuteFunction(ConnectorSecurityContext context, SchemaRoutineName function) {
        return true;
    }

    @Override
    public void checkCanShowFunctions(ConnectorSecurityContext context, String schemaName) {}

    @Override
    public Set<SchemaFunctionName> filterFunctions(
            ConnectorSecurityContext context, Set<SchemaFunctionName> functionNames) {
        return functionNames;
    }

    @Override
    public List<ViewExpression> getRowFilters(ConnectorSecurityContext context, SchemaTableName tableName) {
        if (!tableName.getSchemaName().equals(AllTenants.SCHEMA)) {
            return List.of();
        }
        Viewer viewer = viewer(context);
        if (viewer.isOperator()) {
            return List.of();
        }
        Set<String> tenants = viewer.tenants();
        String filter = tenants.isEmpty()
                ? "false"
                : tenants.stream()
                        .sorted()
                        .map(tenant -> "'" + tenant.replace("'", "''") + "'")
                        .collect(Collectors.joining(", ", "tenant_id IN (", ")"));
        return List.of(ViewExpression.builder().expression(filter).build());
    }

    @Override
    boolean sees(ConnectorSecurityContext context, String schemaName) {
        return viewer(context).seesSchema(schemaName);
    }

    private Viewer viewer(ConnectorSecurityContext context) {
        return Viewer.of(context.getIdentity().getUser(), catalog.accessRules());
    }
}
