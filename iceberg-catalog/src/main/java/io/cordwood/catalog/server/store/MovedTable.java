package io.cordwood.catalog.server.store;

import org.apache.iceberg.catalog.TableIdentifier;

/**
 * A table that was committed to since its usage was added up. Immutable.
 *
 * @param identifier its name
 * @param metadataLocation where its metadata is now
 */
public record MovedTable(TableIdentifier identifier, String metadataLocation) {}
