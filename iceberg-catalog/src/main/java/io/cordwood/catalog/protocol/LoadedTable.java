package io.cordwood.catalog.protocol;

import io.cordwood.catalog.table.ExpiredBefore;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.table.TableSchemas;
import io.cordwood.logblock.schema.LogBlockSchema;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.iceberg.Schema;

/**
 * A table at one point in time. Immutable.
 *
 * @param tenantId the tenant
 * @param stream the stream
 * @param uuid UUID of the table; a recreated table has another one
 * @param location URI of the directory of all its files, without a slash at the end
 * @param metadataLocation URI of the metadata file that this was read from
 * @param icebergSchema the current schema; may have columns of others, of types that no LogBlock has
 * @param schema the columns that a LogBlock can have, text columns marked
 * @param offsets table offsets
 * @param expiredBeforeMicros rows older than this have expired, in microseconds since the epoch; empty: none
 */
public record LoadedTable(
        String tenantId,
        String stream,
        String uuid,
        String location,
        String metadataLocation,
        Schema icebergSchema,
        LogBlockSchema schema,
        TableOffsets offsets,
        OptionalLong expiredBeforeMicros) {
    /** Creates a table whose properties give the rest. @throws IllegalArgumentException if a property is malformed */
    public static LoadedTable of(
            String tenantId,
            String stream,
            String uuid,
            String location,
            String metadataLocation,
            Schema schema,
            Map<String, String> properties) {
        return new LoadedTable(
                tenantId,
                stream,
                uuid,
                location,
                metadataLocation,
                schema,
                TableSchemas.logBlockSchema(schema, properties),
                TableOffsets.fromProperties(properties),
                ExpiredBefore.micros(properties));
    }
}
