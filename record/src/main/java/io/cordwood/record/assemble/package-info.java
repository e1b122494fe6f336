/**
 * From buffers to the rows of a table: its new columns, and sorted vectors for each UTC day. {@link
 * io.cordwood.record.assemble.RowAssembler} is the entry.
 */
package io.cordwood.record.assemble;
