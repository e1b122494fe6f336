/**
 * The benchmark {@code query}: the query set in SQL through Trino on a real stack.
 */
package io.cordwood.benchmarks.query;
