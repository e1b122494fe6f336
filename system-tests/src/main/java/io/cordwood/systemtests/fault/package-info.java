/** The faults of a run: kills, signals, broken connections, second instances, wrong clocks, recreated topics. */
package io.cordwood.systemtests.fault;
