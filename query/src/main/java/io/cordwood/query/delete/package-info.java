/** Deletes rows by a condition: brings rows from Kafka into LogBlocks first, then commits delete files. */
package io.cordwood.query.delete;
