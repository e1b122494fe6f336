package io.cordwood.balancer.service;

/**
 * What partitions and workers take. Immutable.
 *
 * @param partitionBytes bytes of record values per second of a partition
 * @param workerBytes the same of a worker
 * @param watermark share of a worker's capacity that plans use
 */
record Capacities(double partitionBytes, double workerBytes, double watermark) {}
