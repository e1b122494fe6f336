package io.cordwood.options;

import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** How a service proves itself by TLS, and whom it trusts. */
public final class TlsFlags {
    @Option(
            names = "--tls-keystore",
            paramLabel = "FILE",
            description = "PEM file with the service's key (PKCS#8) and certificate; with it, it speaks TLS only")
    private Path keystore;

    @Option(
            names = "--tls-authorities",
            paramLabel = "FILE",
            description = "PEM file with the certificates of the authorities that it trusts")
    private Path authorities;

    /** The service's own key and certificate; empty: no TLS. */
    public Optional<Path> keystore() {
        return Optional.ofNullable(keystore);
    }

    /** The authorities; empty: those that Java knows. */
    public Optional<Path> authorities() {
        return Optional.ofNullable(authorities);
    }
}
