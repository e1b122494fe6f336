/**
 * Conditions on rows, and their evaluation on values. {@link io.cordwood.logblock.predicate.Predicate} is the sealed
 * type to begin with.
 */
package io.cordwood.logblock.predicate;
