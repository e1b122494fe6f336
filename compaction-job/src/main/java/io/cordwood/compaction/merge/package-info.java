/** Merges LogBlocks of a day and puts the new ones in the place of the old. */
package io.cordwood.compaction.merge;
