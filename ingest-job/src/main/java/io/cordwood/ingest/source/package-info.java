/**
 * Exact reading of Kafka: start positions, recreated topics, partitions without records.
 */
package io.cordwood.ingest.source;
