/** Plans the LogBlocks and the rows in Kafka that a scan must read, in groups of similar cost. */
package io.cordwood.query.plan;
