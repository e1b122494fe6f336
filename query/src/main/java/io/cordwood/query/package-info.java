/**
 * The query engine of a node, assembled by {@link io.cordwood.query.QueryEngine}. A query takes a snapshot of the data,
 * plans which LogBlocks and which rows in Kafka may match, and reads them.
 */
package io.cordwood.query;
