/** LogBlocks of tenants in a catalog, written without Kafka and Flink, and read from files. */
package io.cordwood.benchmarks.table;
