/** Reads LogBlocks, on storage and in memory: finds the rows that a scan selects, and the values of their columns. */
package io.cordwood.query.scan;
