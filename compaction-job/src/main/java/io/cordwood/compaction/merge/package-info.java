/** Merges LogBlocks of a day and replaces the old ones with the new. */
package io.cordwood.compaction.merge;
