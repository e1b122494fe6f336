/**
 * The benchmark {@code compaction}: merges, commits, retention and deletions on tables that the benchmark writes
 * without Kafka.
 */
package io.cordwood.benchmarks.compaction;
