package io.cordwood.catalog.server;

import org.apache.iceberg.catalog.TableIdentifier;

/**
 * A table that was committed to since its usage was added up. Immutable.
 *
 * @param identifier its name
 * @param metadataLocation where its metadata is now
 */
record MovedTable(TableIdentifier identifier, String metadataLocation) {}
