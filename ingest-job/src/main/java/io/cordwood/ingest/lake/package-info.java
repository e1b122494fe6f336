/**
 * The catalog and the object storage, as the operators of the job use them. {@link io.cordwood.ingest.lake.Lake} is
 * the interface.
 */
package io.cordwood.ingest.lake;
