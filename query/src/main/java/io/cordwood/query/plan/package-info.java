/** Finds the LogBlocks and the rows in Kafka that a scan must read, and puts them into groups of about one cost. */
package io.cordwood.query.plan;
