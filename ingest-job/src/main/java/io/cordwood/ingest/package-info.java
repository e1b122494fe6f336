/**
 * The Flink job that converts Kafka records to committed LogBlocks: its graph and its options. Begin with {@link
 * io.cordwood.ingest.IngestJob}.
 */
package io.cordwood.ingest;
