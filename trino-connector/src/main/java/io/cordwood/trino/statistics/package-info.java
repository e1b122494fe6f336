/** Statistics of tables for Trino's optimizer, from manifests. */
package io.cordwood.trino.statistics;
