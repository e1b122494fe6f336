/**
 * Writing a LogBlock: {@link io.cordwood.logblock.write.LogBlockWriter} takes rows in time order and writes one
 * object.
 */
package io.cordwood.logblock.write;
