package io.cordwood.standalone.service;

import io.cordwood.standalone.home.Ports;
import io.cordwood.standalone.secret.Secrets;
import java.net.URI;
import java.util.Optional;

/**
 * The role of a Trino server in its cluster. Immutable.
 *
 * @param name the service
 * @param coordinates whether it accepts queries
 * @param works whether it reads tables
 * @param discovery address of the coordinator, to which servers announce themselves
 * @param internalAddress its address for the other servers; absent: Trino determines it
 */
record TrinoNode(String name, boolean coordinates, boolean works, String discovery, Optional<String> internalAddress) {
    static final String ALONE = "trino";
    static final String WORKER = "trino-worker";

    /** A coordinator that is also a worker. More workers may be added on the same machine. */
    static TrinoNode alone(Ports ports, Optional<Secrets> secrets) {
        String address = (secrets.isPresent() ? "https://" : "http://") + ports.address(ALONE);
        return new TrinoNode(
                ALONE, true, true, address, Optional.of(URI.create(address).getHost()));
    }

    /** A coordinator of workers that run as separate services. */
    static TrinoNode coordinator(URI coordinator) {
        return new TrinoNode(ALONE, true, false, coordinator.toString(), Optional.of(coordinator.getHost()));
    }

    /**
     * A worker of a coordinator elsewhere.
     *
     * @param address its name or address for the other servers; absent: the address that it listens on
     */
    static TrinoNode worker(URI coordinator, Optional<String> address, Ports ports) {
        return new TrinoNode(WORKER, false, true, coordinator.toString(), address.or(ports::onlyHost));
    }
}
