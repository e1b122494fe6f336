/**
 * Commits of LogBlocks to tables, and publishing how far a partition is archived.
 */
package io.cordwood.ingest.commit;
