/**
 * The benchmark {@code balance}: the balancer's planner on simulated traffic.
 * {@link io.cordwood.benchmarks.balance.LiveRun} is where the run on a real stack plugs in.
 */
package io.cordwood.benchmarks.balance;
