/**
 * The benchmark {@code logblock}: the engine alone, without Trino, warm and cold.
 */
package io.cordwood.benchmarks.logblock;
