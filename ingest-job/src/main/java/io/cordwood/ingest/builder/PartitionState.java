package io.cordwood.ingest.builder;

/**
 * The checkpointed state of one partition, without its tenants. Immutable.
 *
 * @param position next offset to ingest
 * @param base start of the first flush of a new tenant: all rows below are in tables
 * @param flushes number of flushes emitted so far
 * @param bytesRead bytes ingested so far
 */
record PartitionState(long position, long base, long flushes, long bytesRead) {}
