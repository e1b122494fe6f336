/**
 * The benchmark {@code compaction}: merges, commits, retention and deletions, on tables that are written here,
 * without Kafka.
 */
package io.cordwood.benchmarks.compaction;
