/**
 * Background work on tables: retention, snapshot expiry, merging manifests, removing orphaned files, and completing
 * deletions of rows and of tenants.
 *
 * <p>{@link io.cordwood.catalog.maintenance.SnapshotExpiry} decides what a table needs.
 */
package io.cordwood.catalog.maintenance;
