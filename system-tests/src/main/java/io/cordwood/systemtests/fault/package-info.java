/**
 * The faults of a run: kills, signals, broken connections, second instances, wrong clocks, topics that are made anew.
 */
package io.cordwood.systemtests.fault;
