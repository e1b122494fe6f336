/**
 * What every run of a benchmark needs: its command line, a temporary directory, and what processes take.
 */
package io.cordwood.benchmarks.run;
