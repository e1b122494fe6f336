/**
 * The command line of {@code bin/bench}. Nothing else depends on this package.
 */
package io.cordwood.benchmarks;
