/**
 * The engines that answer the query set, Cordwood's own and those that it is compared with, and how they are
 * compared.
 */
package io.cordwood.benchmarks.peer;
