/** The operators of the job, in the order of a cycle: list tables, look at each, choose what to merge, merge. */
package io.cordwood.compaction.job;
