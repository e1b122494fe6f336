/**
 * A running stack of {@code bin/cordwood}: starting it, sending rows to it, and asking it questions.
 */
package io.cordwood.benchmarks.stack;
