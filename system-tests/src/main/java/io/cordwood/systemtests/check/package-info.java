/** Compares query results with the ledger: every row at the end, and prefixes while rows are written. */
package io.cordwood.systemtests.check;
