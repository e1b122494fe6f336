package io.cordwood.catalog.server.store;

import org.apache.iceberg.catalog.TableIdentifier;

/**
 * A table with commits since its usage was added up. Immutable.
 *
 * @param identifier its name
 * @param metadataLocation its current metadata file
 */
public record MovedTable(TableIdentifier identifier, String metadataLocation) {}
