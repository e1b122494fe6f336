/** The output of figures: one JSON object per figure, a closing table, medians, and ratios between peers. */
package io.cordwood.benchmarks.report;
