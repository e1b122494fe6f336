/** Which LogBlocks to merge: pure functions of what the manifests say. */
package io.cordwood.compaction.plan;
