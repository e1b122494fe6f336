/**
 * The rows of a run, what Kafka acknowledged of them, what was deleted, and what a reader found wrong. Plain data:
 * nothing here knows of a running stack.
 */
package io.cordwood.systemtests.ledger;
