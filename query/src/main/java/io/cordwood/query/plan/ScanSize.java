package io.cordwood.query.plan;

/**
 * An estimate of the LogBlocks that a scan reads. Immutable.
 *
 * @param logBlocks number of LogBlocks
 * @param rows number of their rows in the requested time range
 */
public record ScanSize(int logBlocks, long rows) {}
