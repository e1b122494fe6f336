package io.cordwood.http;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Where a service listens. Immutable.
 *
 * @param host address to listen on
 * @param port port to listen on; 0 for a free one
 * @param tlsKeystore file with a key and its certificates in PEM; empty: plain HTTP
 * @param metricsPort port for metrics alone, in plain HTTP; 0 for a free one; empty: none
 */
public record HttpSettings(String host, int port, Optional<Path> tlsKeystore, OptionalInt metricsPort) {
    public HttpSettings {
        requireNonNull(host, "host is null");
        requireNonNull(tlsKeystore, "tlsKeystore is null");
        requireNonNull(metricsPort, "metricsPort is null");
    }
}
