/**
 * Rows that are still in Kafka, as queries see them.
 *
 * <p>{@link io.cordwood.hot.HotTier} is the way in: it tells where the log ends, and turns spans of offsets into
 * LogBlocks in memory, so that hot and cold rows are read by the same code.
 */
package io.cordwood.hot;
