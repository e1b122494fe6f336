/**
 * Runs on a whole stack that can be broken: {@code bin/bench faults} proves that each acknowledged row is there once,
 * {@code recovery} and {@code bounds} measure what a loss and an overload cost.
 * {@link io.cordwood.systemtests.SystemTests} is the entry point. Nothing else depends on this package.
 */
package io.cordwood.systemtests;
