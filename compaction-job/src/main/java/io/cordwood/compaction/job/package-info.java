/** The operators of the job, in the order of a cycle: list tables, maintain each, limit merges, merge. */
package io.cordwood.compaction.job;
