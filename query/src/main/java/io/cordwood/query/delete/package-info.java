/** Deletes rows by a condition: flushes rows from Kafka into LogBlocks first, then commits delete files. */
package io.cordwood.query.delete;
