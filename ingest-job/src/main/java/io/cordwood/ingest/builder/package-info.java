/**
 * Buffers of waiting rows, by partition and tenant, and the building of LogBlocks. Begin with {@link
 * io.cordwood.ingest.builder.BuildOperator}.
 */
package io.cordwood.ingest.builder;
