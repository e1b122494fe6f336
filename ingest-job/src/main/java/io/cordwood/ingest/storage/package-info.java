/**
 * The catalog and the object storage, as the operators of the job use them. {@link
 * io.cordwood.ingest.storage.TableStorage} is the interface.
 */
package io.cordwood.ingest.storage;
