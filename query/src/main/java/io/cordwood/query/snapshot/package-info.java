/**
 * What one query sees: table versions, archived-through and the end of the log, read once and in the order that the
 * offsets protocol asks for; and the catalog service and Kafka, where they come from.
 */
package io.cordwood.query.snapshot;
