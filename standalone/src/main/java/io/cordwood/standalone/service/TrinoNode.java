package io.cordwood.standalone.service;

import io.cordwood.standalone.home.Ports;
import java.net.URI;
import java.util.Optional;

/**
 * What a Trino server does in its cluster. Immutable.
 *
 * @param name the service
 * @param coordinates whether it takes queries
 * @param works whether it reads tables
 * @param discovery address of the coordinator, where servers announce themselves
 * @param internalAddress at which the others reach it; absent: Trino looks for it
 */
record TrinoNode(String name, boolean coordinates, boolean works, String discovery, Optional<String> internalAddress) {
    static final String ALONE = "trino";
    static final String WORKER = "trino-worker";

    /** Coordinator and worker at once, to which workers may be added on the same machine. */
    static TrinoNode alone(Ports ports) {
        String address = "http://" + ports.address(ALONE);
        return new TrinoNode(
                ALONE, true, true, address, Optional.of(URI.create(address).getHost()));
    }

    /** Coordinates workers that are services of their own. */
    static TrinoNode coordinator(URI coordinator) {
        return new TrinoNode(ALONE, true, false, coordinator.toString(), Optional.of(coordinator.getHost()));
    }

    /** Works for a coordinator elsewhere. */
    static TrinoNode worker(URI coordinator, Ports ports) {
        return new TrinoNode(WORKER, false, true, coordinator.toString(), ports.onlyHost());
    }
}
