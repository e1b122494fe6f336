/** Chooses the LogBlocks to merge, by pure functions of the manifests. */
package io.cordwood.compaction.plan;
