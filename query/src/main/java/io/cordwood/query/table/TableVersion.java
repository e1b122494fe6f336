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
 * A table as one metadata file describes it. Immutable.
 *
 * @param tenantId the tenant
 * @param stream the stream
 * @param metadata the metadata; empty for a tenant that has no table yet
 * @param schema the Iceberg schema
 * @param columns its columns in SQL
 * @param columnNames how columns are called in files that have no field ids
 * @param offsets table offsets O: the tenant's rows below them are in the table
 * @param expiredBeforeMicros rows older than this have expired; {@link Long#MIN_VALUE} if there are none
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

    /** A tenant's table before its first commit: the columns that every table has, and no rows. */
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

    /** Rows in LogBlocks, if the snapshot says; about so many if the same row was deleted twice. */
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

    /** Its columns as a part of those that the stream has over all tenants. */
    public List<StreamColumn> streamColumns() {
        return TableSchemas.streamColumns(
                schema, metadata.map(TableMetadata::properties).orElse(Map.of()));
    }

    /** What stands for the columns: the table and which of its schemas; none of them but the base one has none. */
    public String schemaVersion() {
        return metadata.map(table -> table.uuid() + "/" + table.currentSchemaId())
                .orElse("");
    }

    /** Where its metadata file is, if it has one. */
    public Optional<String> metadataLocation() {
        return metadata.map(TableMetadata::metadataFileLocation);
    }

    /** Where the table stands, for messages. */
    public String name() {
        return "table '%s' of tenant '%s'".formatted(stream, tenantId);
    }
}
