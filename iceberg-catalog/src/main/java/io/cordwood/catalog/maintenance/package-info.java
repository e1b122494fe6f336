/**
 * Background work on tables: retention, snapshot expiry, merges of manifests, removal of orphaned files, and completion
 * of deletions of rows and of tenants.
 *
 * <p>Start with {@link io.cordwood.catalog.maintenance.TableMaintenance}, which decides what a table needs.
 */
package io.cordwood.catalog.maintenance;
