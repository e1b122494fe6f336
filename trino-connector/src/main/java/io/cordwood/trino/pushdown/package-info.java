/** Push-down of parts of a query into scans: conditions, expressions, counts, the newest or oldest rows. */
package io.cordwood.trino.pushdown;
