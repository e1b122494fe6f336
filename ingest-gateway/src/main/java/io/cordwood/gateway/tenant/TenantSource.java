package io.cordwood.gateway.tenant;

import io.cordwood.catalog.pipeline.Pipeline;
import io.cordwood.catalog.tenant.Tenant;
import java.util.Optional;

/** What the catalog service knows of tenants. Throws if the service does not answer. Thread-safe. */
public interface TenantSource {
    /** The tenant; empty if it is not registered. */
    Optional<Tenant> tenant(String id);

    /** The tenant's pipeline; empty if it has none. */
    Optional<Pipeline> pipeline(String id);
}
