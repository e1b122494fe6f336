/**
 * Rows that wait, by partition and tenant, and building LogBlocks of them. Begin with {@link
 * io.cordwood.ingest.builder.BuildOperator}.
 */
package io.cordwood.ingest.builder;
