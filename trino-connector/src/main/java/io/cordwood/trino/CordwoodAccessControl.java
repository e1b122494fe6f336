package io.cordwood.trino;

import static io.trino.spi.security.AccessDeniedException.denyDeleteTable;
import static io.trino.spi.security.AccessDeniedException.denyInsertTable;
import static io.trino.spi.security.AccessDeniedException.denySelectTable;
import static io.trino.spi.security.AccessDeniedException.denyShowColumns;
import static io.trino.spi.security.AccessDeniedException.denyShowCreateSchema;
import static io.trino.spi.security.AccessDeniedException.denyShowCreateTable;
import static io.trino.spi.security.AccessDeniedException.denyShowTables;
import static io.trino.spi.security.AccessDeniedException.denyUpdateTableColumns;

import com.google.inject.Inject;
import io.cordwood.catalog.tenant.AccessRules;
import io.cordwood.catalog.tenant.User;
import io.cordwood.query.snapshot.QueryCatalog;
import io.cordwood.query.table.AllTenants;
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
 * row. A user that sees a tenant may delete its rows; no other writes are allowed. Thread-safe.
 */
final class CordwoodAccessControl extends UnsupportedStatementAccessControl {
    private static final String INFORMATION_SCHEMA = "information_schema";

    private final QueryCatalog catalog;

    @Inject
    CordwoodAccessControl(QueryCatalog catalog) {
        this.catalog = catalog;
    }

    @Override
    public void checkCanShowSchemas(ConnectorSecurityContext context) {}

    @Override
    public Set<String> filterSchemas(ConnectorSecurityContext context, Set<String> schemaNames) {
        AccessRules rules = catalog.accessRules();
        String user = context.getIdentity().getUser();
        return schemaNames.stream().filter(schema -> sees(rules, user, schema)).collect(Collectors.toSet());
    }

    @Override
    public void checkCanShowTables(ConnectorSecurityContext context, String schemaName) {
        if (!sees(context, schemaName)) {
            denyShowTables(schemaName);
        }
    }

    @Override
    public Set<SchemaTableName> filterTables(ConnectorSecurityContext context, Set<SchemaTableName> tableNames) {
        AccessRules rules = catalog.accessRules();
        String user = context.getIdentity().getUser();
        return tableNames.stream()
                .filter(table -> sees(rules, user, table.getSchemaName()))
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
        AccessRules rules = catalog.accessRules();
        String user = context.getIdentity().getUser();
        return tableColumns.entrySet().stream()
                .filter(table -> sees(rules, user, table.getKey().getSchemaName()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
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
        if (!sees(context, tableName.getSchemaName())) {
            denySelectTable(
                    tableName.toString(),
                    "user '%s' has no grant for this tenant"
                            .formatted(context.getIdentity().getUser()));
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
        if (tableName.getSchemaName().equals(DeletionsTable.SCHEMA) || !sees(context, tableName.getSchemaName())) {
            denyDeleteTable(
                    tableName.toString(),
                    "user '%s' has no grant for this tenant"
                            .formatted(context.getIdentity().getUser()));
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
    public void checkCanSetCatalogSessionProperty(ConnectorSecurityContext context, String propertyName) {}

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
        AccessRules rules = catalog.accessRules();
        String user = context.getIdentity().getUser();
        if (rules.isOperator(user)) {
            return List.of();
        }
        Set<String> tenants = rules.users().stream()
                .filter(candidate -> candidate.name().equals(user))
                .findFirst()
                .map(User::tenants)
                .orElse(Set.of());
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
        return sees(catalog.accessRules(), context.getIdentity().getUser(), schemaName);
    }

    private boolean sees(AccessRules rules, String user, String schemaName) {
        if (schemaName.equals(AllTenants.SCHEMA)
                || schemaName.equals(INFORMATION_SCHEMA)
                // Its tables show each user only the user's own rows
                || schemaName.equals(DeletionsTable.SCHEMA)
                || rules.isOperator(user)) {
            return true;
        }
        Optional<String> tenantId = catalog.tenantId(schemaName);
        return tenantId.isPresent() && rules.sees(user, tenantId.get());
    }
}
