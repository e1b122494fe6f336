/**
 * Deleted rows: reading and writing position deletes, committing them, and the record of a deletion.
 */
package io.cordwood.catalog.delete;
