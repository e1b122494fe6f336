/**
 * Reading Kafka exactly: where reading starts, topics that are made anew, partitions that hold no record.
 */
package io.cordwood.ingest.source;
