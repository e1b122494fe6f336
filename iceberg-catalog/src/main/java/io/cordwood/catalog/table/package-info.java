/**
 * The state of a table: partitions and offsets, columns and schemas, the LogBlocks that a table holds and their names.
 * Value types; only {@code json} lies below.
 */
package io.cordwood.catalog.table;
