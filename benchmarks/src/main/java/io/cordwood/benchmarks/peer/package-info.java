/** The engines that answer the query set, Cordwood's own and its peers, and their comparison. */
package io.cordwood.benchmarks.peer;
