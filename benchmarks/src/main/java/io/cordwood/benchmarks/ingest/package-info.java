/**
 * The benchmark {@code ingest}: rows from Kafka to committed LogBlocks on a real stack.
 */
package io.cordwood.benchmarks.ingest;
