package io.cordwood.balancer.service;

/**
 * Capacities of partitions and workers. Immutable.
 *
 * @param partitionBytes capacity of a partition, bytes of record values per second
 * @param workerBytes capacity of a worker, in the same unit
 * @param watermark share of a worker's capacity that plans use
 */
record Capacities(double partitionBytes, double workerBytes, double watermark) {}
