/**
 * The balancer on a real stack: bursts, changes of the routing table, overload and growth, with every row compared at
 * the end. {@code bin/bench balance --live} runs it.
 */
package io.cordwood.systemtests.balance;
