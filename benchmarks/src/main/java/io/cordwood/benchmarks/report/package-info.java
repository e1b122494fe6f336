/**
 * How figures are printed: one JSON object a figure, a closing table, medians, and ratios between peers.
 */
package io.cordwood.benchmarks.report;
