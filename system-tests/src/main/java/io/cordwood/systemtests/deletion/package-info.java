/** Deletes rows and tenants while others are written, and records in the ledger when each deletion began and ended. */
package io.cordwood.systemtests.deletion;
