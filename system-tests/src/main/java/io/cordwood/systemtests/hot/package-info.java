/**
 * Rows that are still in Kafka: how soon queries see them, whether answers are prefixes under faults, what statistics
 * spare. {@code bin/bench hot} runs it.
 */
package io.cordwood.systemtests.hot;
