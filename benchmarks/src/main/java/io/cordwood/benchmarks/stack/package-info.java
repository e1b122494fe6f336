/** A running stack of {@code bin/cordwood}: starts it, sends rows to it, and queries it. */
package io.cordwood.benchmarks.stack;
