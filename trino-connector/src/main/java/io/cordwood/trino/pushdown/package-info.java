/** What a scan takes over from a query: conditions, expressions, counts, the newest or oldest rows. */
package io.cordwood.trino.pushdown;
