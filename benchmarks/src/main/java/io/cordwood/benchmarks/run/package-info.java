/** Utilities of every benchmark run: its command line, a temporary directory, and the usage of processes. */
package io.cordwood.benchmarks.run;
