/** How well log patterns group lines, and how fast. */
package io.cordwood.benchmarks.pattern;
