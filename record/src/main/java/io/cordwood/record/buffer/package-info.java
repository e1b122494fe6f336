/**
 * Rows of one tenant before they have a table. {@link io.cordwood.record.buffer.RowBuffer} holds them by column, each
 * value with the kind it had in its record.
 */
package io.cordwood.record.buffer;
