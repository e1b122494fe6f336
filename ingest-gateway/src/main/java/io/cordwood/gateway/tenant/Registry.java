package io.cordwood.gateway.tenant;

import io.cordwood.catalog.tenant.Tenant;
import io.cordwood.gateway.pipeline.TenantPipeline;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/** The tenants that the catalog service knows, with their pipelines. Thread-safe. */
final class Registry {
    private static final Duration MAX_AGE = Duration.ofMinutes(5);
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    /** Without the service the last pipeline stays: rows that went through it must not pass by it. */
    private static final Duration MAX_AGE_OF_PIPELINES = Duration.ofDays(365);

    private final Answers<Optional<Tenant>> tenants;
    private final Answers<Optional<TenantPipeline>> pipelines;

    /** @param clock time that passes, in nanoseconds */
    Registry(TenantSource source, LongSupplier clock) {
        tenants = new Answers<>("registry entry", source::tenant, MAX_AGE, PATIENCE, clock);
        pipelines = new Answers<>(
                "pipeline", id -> source.pipeline(id).map(TenantPipeline::new), MAX_AGE_OF_PIPELINES, PATIENCE, clock);
    }

    /** The tenant; empty if it is not registered. Throws what the source throws. */
    Optional<Tenant> tenant(String id) {
        return tenants.of(id);
    }

    /** The tenant's pipeline; empty if it has none. Throws what the source throws. */
    Optional<TenantPipeline> pipeline(String id) {
        return pipelines.of(id);
    }
}
