package io.cordwood.gateway;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.pipeline.Pipeline;
import io.cordwood.catalog.tenant.Tenant;
import io.cordwood.gateway.tenant.TenantSource;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/** A client of the catalog service, made at first use, as the service may come later. Thread-safe. */
final class CatalogConnection implements TenantSource, AutoCloseable {
    private final URI uri;
    private final Map<String, String> properties;
    private Optional<CatalogClient> client = Optional.empty();

    CatalogConnection(URI uri, Map<String, String> properties) {
        this.uri = uri;
        this.properties = Map.copyOf(properties);
    }

    /** The client. Throws if the service cannot be reached. */
    synchronized CatalogClient get() {
        if (client.isEmpty()) {
            client = Optional.of(CatalogClient.connect(uri, properties));
        }
        return client.get();
    }

    @Override
    public Optional<Tenant> tenant(String id) {
        return get().tenant(id);
    }

    @Override
    public Optional<Pipeline> pipeline(String id) {
        return get().pipeline(id);
    }

    @Override
    public synchronized void close() {
        client.ifPresent(CatalogClient::close);
    }
}
