package io.cordwood.ingest.builder;

/**
 * What a checkpoint holds of one partition, besides its tenants. Immutable.
 *
 * @param position next offset to be taken in
 * @param base where the first flush of a tenant starts that has none yet: all rows below are in tables
 * @param flushes flushes emitted so far
 * @param bytesRead bytes taken in so far
 */
record PartitionState(long position, long base, long flushes, long bytesRead) {}
