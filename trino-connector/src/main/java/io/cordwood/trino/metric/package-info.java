/** Counts of scans and caches, for Trino and as MBeans. */
package io.cordwood.trino.metric;
