/**
 * Producers of numbered rows: one by one, in transactions, or at a rate for each tenant.
 */
package io.cordwood.systemtests.load;
