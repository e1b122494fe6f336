/**
 * The rows that benchmarks run on and the queries on them, with expected answers.
 */
package io.cordwood.benchmarks.data;
