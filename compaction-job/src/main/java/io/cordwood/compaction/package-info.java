/**
 * Merges LogBlocks, so that a table stays fast and cheap for years: a Flink job beside the ingest job.
 *
 * <p>Each cycle lists the tables, looks at each ({@link io.cordwood.compaction.plan} says what to merge), and merges
 * what gains most ({@link io.cordwood.compaction.merge}), within a budget.
 */
package io.cordwood.compaction;
