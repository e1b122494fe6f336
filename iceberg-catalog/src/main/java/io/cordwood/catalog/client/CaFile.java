package io.cordwood.catalog.client;

import io.cordwood.identity.PemFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.apache.iceberg.rest.auth.TLSConfigurer;

/**
 * TLS of Iceberg's REST client that trusts the authorities in the file of a client's properties. Not thread-safe;
 * Iceberg creates it by its class name.
 */
public final class CaFile implements TLSConfigurer {
    private Optional<SSLContext> context = Optional.empty();

    public CaFile() {}

    /**
     * TLS that trusts the authorities of these properties' file; empty if they have none.
     *
     * @throws CatalogException if the file cannot be read
     */
    static Optional<SSLContext> of(Map<String, String> properties) {
        String file = properties.get(CatalogClient.CA_FILE);
        if (file == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(PemFiles.trusting(Path.of(file)));
        } catch (IOException e) {
            throw new CatalogException("Cannot use the authorities in %s: %s".formatted(file, e.getMessage()), e);
        }
    }

    @Override
    public void initialize(Map<String, String> properties) {
        context = of(properties);
    }

    @Override
    public SSLContext sslContext() {
        return context.orElseThrow(() -> new IllegalStateException("There is no property " + CatalogClient.CA_FILE));
    }
}
