/**
 * Commits that keep every row exactly once.
 *
 * <p>{@link io.cordwood.catalog.commit.LogBlockCommitter} explains and implements the protocol; {@link
 * io.cordwood.catalog.commit.RewriteCommitter} commits the results of compaction. The package also has the wrappers
 * around Iceberg's table operations that make a concurrent commit visible.
 */
package io.cordwood.catalog.commit;
