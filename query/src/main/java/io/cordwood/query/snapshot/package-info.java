/**
 * The view of the data in one query: table versions, archived-through and the log ends, each read once, in the order of
 * the offsets protocol; with the clients of the catalog service and Kafka that they come from.
 */
package io.cordwood.query.snapshot;
