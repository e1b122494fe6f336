/**
 * The catalog service: Iceberg's REST catalog, and Cordwood's own endpoints beside it, over one database.
 *
 * <p>Start with {@link io.cordwood.catalog.server.CatalogServer}.
 */
package io.cordwood.catalog.server;
