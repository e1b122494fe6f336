/** How soon a stack can be used. {@link io.cordwood.benchmarks.startup.StartupBench} is the entry. */
package io.cordwood.benchmarks.startup;
