/**
 * Backups of the catalog's database, and its restoration. A restored database is brought up to date with the tables in
 * the warehouse, which are newer than any backup.
 *
 * <p>Start with {@link io.cordwood.catalog.server.backup.Backup} and {@link
 * io.cordwood.catalog.server.backup.Restore}, the programs.
 */
package io.cordwood.catalog.server.backup;
