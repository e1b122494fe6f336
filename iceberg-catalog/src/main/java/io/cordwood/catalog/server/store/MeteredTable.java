package io.cordwood.catalog.server.store;

import io.cordwood.catalog.table.StreamColumn;
import io.cordwood.catalog.table.TableSchemas;
import io.cordwood.catalog.usage.UsageJournal;
import java.util.List;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.TableIdentifier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A table's data for the database. Immutable.
 *
 * @param uuid UUID of the table
 * @param identifier its namespace and name
 * @param metadataLocation the metadata file with the journal
 * @param journal additions of its last commits
 * @param columns its columns in SQL
 */
public record MeteredTable(
        String uuid, TableIdentifier identifier, String metadataLocation, UsageJournal journal, ColumnSet columns) {
    private static final Logger LOG = LoggerFactory.getLogger(MeteredTable.class);

    /** The table of this metadata. Its journal names the tenant; without a journal there is nothing to add. */
    public static MeteredTable of(TableIdentifier identifier, TableMetadata table) {
        return new MeteredTable(
                table.uuid(),
                identifier,
                table.metadataFileLocation(),
                UsageJournal.fromProperties("", table.properties()),
                ColumnSet.of(columns(identifier, table)));
    }

    public String stream() {
        return identifier.name();
    }

    /** No columns for a table with a malformed property: its commit is done, and its usage must count. */
    private static List<StreamColumn> columns(TableIdentifier identifier, TableMetadata table) {
        try {
            return TableSchemas.streamColumns(table.schema(), table.properties());
        } catch (IllegalArgumentException e) {
            LOG.warn("Cannot add the columns of table {} to those of its stream: {}", identifier, e.getMessage());
            return List.of();
        }
    }
}
