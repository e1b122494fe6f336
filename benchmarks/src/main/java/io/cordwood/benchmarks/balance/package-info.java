/**
 * The benchmark {@code balance}: the balancer's planner on simulated traffic.
 * {@link io.cordwood.benchmarks.balance.LiveRun} is the interface of the run on a real stack.
 */
package io.cordwood.benchmarks.balance;
