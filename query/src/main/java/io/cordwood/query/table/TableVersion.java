package io.cordwood.query.table;

import io.cordwood.catalog.table.ExpiredBefore;
import io.cordwood.catalog.table.StreamColumn;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.table.TableSchemas;
import io.cordwood.logblock.schema.ColumnNames;
import io.cordwood.logblock.schema.LogBlockSchema;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.TableMetadata;

/**
 * A version of a table, described by one metadata file. Immutable.
 *
 * @param tenantId the tenant
 * @param stream the stream
 * @param metadata the metadata; empty for a tenant that has no table yet
 * @param schema the Iceberg schema
 * @param columns its columns in SQL
 * @param columnNames names of the columns in files without field ids
 * @param offsets table offsets: the tenant's rows below them are in the table
 * @param expiredBeforeMicros rows older than this have expired; {@link Long#MIN_VALUE} if none has
 */
public record TableVersion(
        String tenantId,
        String stream,
        Optional<TableMetadata> metadata,
        Schema schema,
        TableColumns columns,
        ColumnNames columnNames,
        TableOffsets offsets,
        long expiredBeforeMicros) {
    public static TableVersion of(String tenantId, String stream, TableMetadata metadata) {
        Schema schema = metadata.schema();
        LogBlockSchema logBlockSchema = TableSchemas.logBlockSchema(schema, metadata.properties());
        return new TableVersion(
                tenantId,
                stream,
                Optional.of(metadata),
                schema,
                TableColumns.of(logBlockSchema),
                TableSchemas.columnNames(metadata.properties()),
                TableOffsets.fromProperties(metadata.properties()),
                ExpiredBefore.micros(metadata.properties()).orElse(Long.MIN_VALUE));
    }

    /** A tenant's table before its first commit: it has the columns of every table, and no rows. */
    public static TableVersion withoutTable(String tenantId, String stream) {
        Schema schema = TableSchemas.baseSchema();
        LogBlockSchema logBlockSchema = TableSchemas.logBlockSchema(schema, Map.of());
        return new TableVersion(
                tenantId,
                stream,
                Optional.empty(),
                schema,
                TableColumns.of(logBlockSchema),
                ColumnNames.NONE,
                TableOffsets.NONE,
                Long.MIN_VALUE);
    }

    public Optional<Snapshot> snapshot() {
        return metadata.map(TableMetadata::currentSnapshot);
    }

    /** Number of rows in LogBlocks, if the snapshot has it; approximate if a row was deleted twice. */
    public OptionalLong rowCount() {
        Optional<Snapshot> snapshot = snapshot();
        if (snapshot.isEmpty()) {
            return OptionalLong.of(0);
        }
        Map<String, String> summary = snapshot.get().summary();
        String total = summary.get(SnapshotSummary.TOTAL_RECORDS_PROP);
        String deleted = summary.getOrDefault(SnapshotSummary.TOTAL_POS_DELETES_PROP, "0");
        return total == null
                ? OptionalLong.empty()
                : OptionalLong.of(Math.max(0, Long.parseLong(total) - Long.parseLong(deleted)));
    }

    /** Its columns, as a part of the stream's columns over all tenants. */
    public List<StreamColumn> streamColumns() {
        return TableSchemas.streamColumns(
                schema, metadata.map(TableMetadata::properties).orElse(Map.of()));
    }

    /** A key of the columns: the table and the id of its schema; a table without metadata has the base schema. */
    public String schemaVersion() {
        return metadata.map(table -> table.uuid() + "/" + table.currentSchemaId())
                .orElse("");
    }

    /** Location of its metadata file, if it has one. */
    public Optional<String> metadataLocation() {
        return metadata.map(TableMetadata::metadataFileLocation);
    }

    /** The name of the table, for messages. */
    public String name() {
        return "table '%s' of tenant '%s'".formatted(stream, tenantId);
    }
}
