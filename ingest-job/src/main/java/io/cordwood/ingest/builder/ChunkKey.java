package io.cordwood.ingest.builder;

/**
 * The key of a chunk in a partition's state. Immutable.
 *
 * @param tenantId the tenant of the rows
 * @param number sequence number among the tenant's chunks in the partition
 */
record ChunkKey(String tenantId, long number) {}
