/**
 * Commits of LogBlocks to tables, and the publication of archived-through.
 */
package io.cordwood.ingest.commit;
