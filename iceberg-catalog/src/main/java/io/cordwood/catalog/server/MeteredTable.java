package io.cordwood.catalog.server;

import io.cordwood.catalog.UsageJournal;
import org.apache.iceberg.TableMetadata;

/**
 * A table as far as usage goes. Immutable.
 *
 * @param uuid UUID of the table
 * @param stream its name
 * @param metadataLocation the metadata file that has the journal
 * @param journal what its last commits added
 */
record MeteredTable(String uuid, String stream, String metadataLocation, UsageJournal journal) {
    /** The table of this metadata. Its journal names the tenant; without one there is nothing to be added. */
    static MeteredTable of(String stream, TableMetadata table) {
        return new MeteredTable(
                table.uuid(),
                stream,
                table.metadataFileLocation(),
                UsageJournal.fromProperties("", table.properties()));
    }
}
