/**
 * Tenants, their Iceberg tables, and commits that keep every row exactly once.
 *
 * <p>{@link io.cordwood.catalog.CatalogClient} is the way in; {@link io.cordwood.catalog.LogBlockCommitter} explains and
 * implements the commit protocol.
 */
package io.cordwood.catalog;
