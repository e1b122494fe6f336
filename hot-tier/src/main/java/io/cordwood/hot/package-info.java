/**
 * Rows that are still in Kafka, as queries see them.
 *
 * <p>{@link io.cordwood.hot.HotTier} is the entry point: it finds the end of the log, and converts spans of offsets
 * into in-memory LogBlocks, so that the same code reads hot and cold rows.
 */
package io.cordwood.hot;
