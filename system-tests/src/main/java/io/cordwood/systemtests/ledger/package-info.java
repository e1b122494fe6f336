/**
 * The rows of a run, their acknowledgements, deletions, and the findings of readers. Plain data, without access to a
 * running stack.
 */
package io.cordwood.systemtests.ledger;
