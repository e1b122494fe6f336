/** What identity costs: a closed stack beside an open one. */
package io.cordwood.benchmarks.identity;
