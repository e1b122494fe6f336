package io.cordwood.catalog.server.store;

import org.apache.iceberg.catalog.TableIdentifier;

/**
 * A table and where its metadata is. Immutable.
 *
 * @param identifier its name
 * @param metadataLocation its current metadata file
 */
public record StoredPointer(TableIdentifier identifier, String metadataLocation) {}
