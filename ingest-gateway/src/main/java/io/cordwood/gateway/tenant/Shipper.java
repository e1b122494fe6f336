package io.cordwood.gateway.tenant;

import io.cordwood.catalog.access.Caller;
import io.cordwood.catalog.tenant.Quota;
import io.cordwood.catalog.tenant.Tenant;
import io.cordwood.gateway.pipeline.TenantPipeline;
import io.cordwood.gateway.refusal.RefusedException;
import java.util.Optional;

/** The sender of a request, and the tenant that it sends for. Immutable. */
public final class Shipper {
    private final Caller caller;
    private final String tenant;
    private final Optional<Tenant> registered;
    private final Optional<TenantPipeline> pipeline;

    Shipper(Caller caller, String tenant, Optional<Tenant> registered, Optional<TenantPipeline> pipeline) {
        this.caller = caller;
        this.tenant = tenant;
        this.registered = registered;
        this.pipeline = pipeline;
    }

    public String tenant() {
        return tenant;
    }

    /** How fast the tenant may send. */
    public Quota quota() {
        return registered.map(Tenant::quota).orElse(Quota.NONE);
    }

    /** What the tenant's rows go through; empty if they go to Kafka as they are. */
    public Optional<TenantPipeline> pipeline() {
        return pipeline;
    }

    /**
     * Checks that the key is for a stream.
     *
     * @throws RefusedException if it is not
     */
    public void requireStream(String stream) {
        if (!caller.writes(tenant, stream)) {
            throw Shippers.forbidden(tenant);
        }
    }
}
