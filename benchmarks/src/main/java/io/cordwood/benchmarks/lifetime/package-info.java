/**
 * The benchmark {@code lifetime}: what a row costs from Kafka until its day is merged.
 */
package io.cordwood.benchmarks.lifetime;
