package io.cordwood.trino;

import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.ConnectorSecurityContext;
import io.trino.spi.connector.SchemaRoutineName;
import io.trino.spi.connector.SchemaTableName;
import java.util.Map;

/**
 * Access control of statements that the connector does not support. It admits a user that sees the tenant, because the
 * engine then refuses the statement as unsupported; a denial would suggest that a grant could help. Users that do not
 * see the tenant get the denial. Thread-safe if its subclass is.
 */
abstract class UnsupportedStatementAccessControl implements ConnectorAccessControl {
    abstract boolean sees(ConnectorSecurityContext context, String schemaName);

    @Override
    public void checkCanCreateSchema(
            ConnectorSecurityContext context, String schemaName, Map<String, Object> properties) {
        if (!sees(context, schemaName)) {
            ConnectorAccessControl.super.checkCanCreateSchema(context, schemaName, properties);
        }
    }

    @Override
    public void checkCanDropSchema(ConnectorSecurityContext context, String schemaName) {
        if (!sees(context, schemaName)) {
            ConnectorAccessControl.super.checkCanDropSchema(context, schemaName);
        }
    }

    @Override
    public void checkCanRenameSchema(ConnectorSecurityContext context, String schemaName, String newSchemaName) {
        if (!sees(context, schemaName)) {
            ConnectorAccessControl.super.checkCanRenameSchema(context, schemaName, newSchemaName);
        }
    }

    @Override
    public void checkCanCreateTable(
            ConnectorSecurityContext context, SchemaTableName tableName, Map<String, Object> properties) {
        if (!sees(context, tableName.getSchemaName())) {
            ConnectorAccessControl.super.checkCanCreateTable(context, tableName, properties);
        }
    }

    @Override
    public void checkCanDropTable(ConnectorSecurityContext context, SchemaTableName tableName) {
        if (!sees(context, tableName.getSchemaName())) {
            ConnectorAccessControl.super.checkCanDropTable(context, tableName);
        }
    }

    @Override
    public void checkCanRenameTable(
            ConnectorSecurityContext context, SchemaTableName tableName, SchemaTableName newTableName) {
        if (!sees(context, tableName.getSchemaName())) {
            ConnectorAccessControl.super.checkCanRenameTable(context, tableName, newTableName);
        }
    }

    @Override
    public void checkCanTruncateTable(ConnectorSecurityContext context, SchemaTableName tableName) {
        if (!sees(context, tableName.getSchemaName())) {
            ConnectorAccessControl.super.checkCanTruncateTable(context, tableName);
        }
    }

    @Override
    public void checkCanSetTableComment(ConnectorSecurityContext context, SchemaTableName tableName) {
        if (!sees(context, tableName.getSchemaName())) {
            ConnectorAccessControl.super.checkCanSetTableComment(context, tableName);
        }
    }

    @Override
    public void checkCanSetColumnComment(ConnectorSecurityContext context, SchemaTableName tableName) {
        if (!sees(context, tableName.getSchemaName())) {
            ConnectorAccessControl.super.checkCanSetColumnComment(context, tableName);
        }
    }

    @Override
    public void checkCanAddColumn(ConnectorSecurityContext context, SchemaTableName tableName) {
        if (!sees(context, tableName.getSchemaName())) {
            ConnectorAccessControl.super.checkCanAddColumn(context, tableName);
        }
    }

    @Override
    public void checkCanAlterColumn(ConnectorSecurityContext context, SchemaTableName tableName) {
        if (!sees(context, tableName.getSchemaName())) {
            ConnectorAccessControl.super.checkCanAlterColumn(context, tableName);
        }
    }

    @Override
    public void checkCanRenameColumn(ConnectorSecurityContext context, SchemaTableName tableName) {
        if (!sees(context, tableName.getSchemaName())) {
            ConnectorAccessControl.super.checkCanRenameColumn(context, tableName);
        }
    }

    @Override
    public void checkCanDropColumn(ConnectorSecurityContext context, SchemaTableName tableName) {
        if (!sees(context, tableName.getSchemaName())) {
            ConnectorAccessControl.super.checkCanDropColumn(context, tableName);
        }
    }

    @Override
    public void checkCanCreateView(ConnectorSecurityContext context, SchemaTableName viewName) {
        if (!sees(context, viewName.getSchemaName())) {
            ConnectorAccessControl.super.checkCanCreateView(context, viewName);
        }
    }

    @Override
    public void checkCanCreateMaterializedView(
            ConnectorSecurityContext context, SchemaTableName viewName, Map<String, Object> properties) {
        if (!sees(context, viewName.getSchemaName())) {
            ConnectorAccessControl.super.checkCanCreateMaterializedView(context, viewName, properties);
        }
    }

    @Override
    public void checkCanCreateFunction(ConnectorSecurityContext context, SchemaRoutineName function) {
        if (!sees(context, function.getSchemaName())) {
            ConnectorAccessControl.super.checkCanCreateFunction(context, function);
        }
    }
}
