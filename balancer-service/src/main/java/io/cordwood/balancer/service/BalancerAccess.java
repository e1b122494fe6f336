package io.cordwood.balancer.service;

import io.cordwood.identity.PemFiles;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;

/**
 * How the API is closed to others. Immutable.
 *
 * @param catalog address of the catalog service, which knows the callers
 * @param keystore PEM file with the key and the certificate of the balancer
 * @param authorities PEM file with the authorities of the other services
 * @param metricsPort port at the same address for the metrics, which need no token there
 */
record BalancerAccess(URI catalog, Path keystore, Path authorities, int metricsPort) {
    /** TLS with which the balancer serves and asks. */
    SSLContext tls() throws IOException {
        return PemFiles.mutual(keystore, authorities);
    }
}
