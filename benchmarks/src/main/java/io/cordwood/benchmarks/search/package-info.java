/**
 * The benchmark {@code search}: the query set over the search service's HTTP API, and live tails.
 */
package io.cordwood.benchmarks.search;
