/**
 * Reading a LogBlock. {@link io.cordwood.logblock.scan.LogBlock} opens an object from its end; {@link
 * io.cordwood.logblock.scan.LogBlockScan} finds rows by index, statistics and values, and reads their columns.
 */
package io.cordwood.logblock.scan;
