/**
 * Deletes rows and tenants while others are written, and tells the ledger when each deletion began and was done.
 */
package io.cordwood.systemtests.deletion;
