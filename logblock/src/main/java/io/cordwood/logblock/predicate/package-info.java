/**
 * Conditions on rows, and their evaluation on values. The sealed type {@link io.cordwood.logblock.predicate.Predicate}
 * is the entry point.
 */
package io.cordwood.logblock.predicate;
