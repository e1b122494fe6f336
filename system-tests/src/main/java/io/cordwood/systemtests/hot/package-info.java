/**
 * Measurements of rows that are still in Kafka: their visibility, prefix-consistent answers under faults, and the
 * savings by statistics. {@code bin/bench hot} runs them.
 */
package io.cordwood.systemtests.hot;
