package io.cordwood.benchmarks.gateway;

/**
 * A request with rows of one tenant, as a client of that protocol sends it. Immutable, the body by convention.
 *
 * @param body the body
 * @param rows the number of its rows
 */
@SuppressWarnings("ArrayRecordComponent") // Handed to the HTTP client without a copy
record DoorRequest(String tenant, byte[] body, int rows) {}
