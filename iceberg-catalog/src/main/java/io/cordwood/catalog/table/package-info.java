/**
 * The state of a table: partitions and offsets, columns and schemas, and its LogBlocks and their names. Value types;
 * only {@code json} lies below.
 */
package io.cordwood.catalog.table;
