/**
 * Merges LogBlocks, so that tables stay fast and small for years: a Flink job beside the ingest job.
 *
 * <p>Each cycle lists the tables, maintains each ({@link io.cordwood.compaction.plan} says which merges pay), and runs
 * the most profitable merges ({@link io.cordwood.compaction.merge}) within a budget.
 */
package io.cordwood.compaction;
