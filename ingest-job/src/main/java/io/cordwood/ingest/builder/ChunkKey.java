package io.cordwood.ingest.builder;

/**
 * Which chunk of a partition's state. Immutable.
 *
 * @param tenantId the tenant whose rows it holds
 * @param number counts the tenant's chunks in the partition
 */
record ChunkKey(String tenantId, long number) {}
