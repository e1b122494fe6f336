/**
 * Runs with faults on a whole stack: {@code bin/bench faults} proves that each acknowledged row is there once,
 * {@code recovery} and {@code bounds} measure the cost of a loss and of an overload.
 * {@link io.cordwood.systemtests.SystemTests} is the entry point. Nothing else depends on this package.
 */
package io.cordwood.systemtests;
