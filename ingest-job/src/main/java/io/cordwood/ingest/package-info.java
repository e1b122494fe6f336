/**
 * The Flink job that turns Kafka records into committed LogBlocks: its graph and its options. Begin with {@link
 * io.cordwood.ingest.IngestJob}.
 */
package io.cordwood.ingest;
