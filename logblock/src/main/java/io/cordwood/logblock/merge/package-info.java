/**
 * Merging LogBlocks into one, in time order.
 */
package io.cordwood.logblock.merge;
