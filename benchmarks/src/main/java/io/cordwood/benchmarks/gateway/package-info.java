/** The ingest gateway: the cost of rows at each door, and the time until they are acknowledged. */
package io.cordwood.benchmarks.gateway;
