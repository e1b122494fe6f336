/**
 * LogBlocks of tenants as a catalog knows them, made without Kafka and Flink, and read from files.
 */
package io.cordwood.benchmarks.table;
